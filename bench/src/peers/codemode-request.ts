import type { RequestOptions } from "@cloudflare/codemode/mcp";

/** Where a merged document's requests go: quay's under `/quay`, all others to GitHub. */
export interface Backends {
  readonly github: string;
  readonly quay: string;
  readonly token: string;
}

const QUAY = "/quay/";

/** The host's part of codemode's `request` for the merged document. */
export function sendRequest(
  options: RequestOptions,
  { github, quay, token }: Backends,
): Promise<unknown> {
  const { path } = options;
  return path.startsWith(QUAY)
    ? requestJson(quay, { ...options, path: path.slice(QUAY.length - 1) }, token)
    : requestJson(github, options, token);
}

/** A request to one API as codemode's documentation has it: fetch, then the JSON. */
export async function requestJson(
  origin: string,
  { method, path, query = {}, body }: RequestOptions,
  token?: string,
): Promise<unknown> {
  const url = new URL(origin + path);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  const response = await fetch(url, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status}: ${text}`);
  return text === "" ? null : (JSON.parse(text) as unknown);
}
