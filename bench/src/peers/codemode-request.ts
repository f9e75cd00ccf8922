import type { RequestOptions } from "@cloudflare/codemode/mcp";

/** Where a merged document's requests go: quay's under `/quay`, all others to GitHub. */
export interface Backends {
  readonly github: string;
  readonly quay: string;
  readonly token: string;
  readonly fetch: typeof fetch;
}

const QUAY = "/quay/";

function urlOf({ path, query = {} }: RequestOptions, { github, quay }: Backends): URL {
  const isQuay = path.startsWith(QUAY);
  const url = new URL(isQuay ? quay + path.slice(QUAY.length - 1) : github + path);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

/** The host's part of codemode's `request`, as its documentation has it: fetch, then the JSON. */
export async function sendRequest(options: RequestOptions, to: Backends): Promise<unknown> {
  const { method, body } = options;
  const response = await to.fetch(urlOf(options, to), {
    method,
    headers: {
      authorization: `Bearer ${to.token}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status}: ${text}`);
  return text === "" ? null : (JSON.parse(text) as unknown);
}
