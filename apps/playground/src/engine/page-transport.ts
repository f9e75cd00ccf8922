import type { HeaderPair, Transport, TransportOutcome, TransportRequest } from "@plasm/runtime";

/** What answers a request where there is no network. */
export type InPageApi = (request: Request) => Promise<Response>;

function asRequest({ method, url, headers, body, signal }: TransportRequest): Request {
  return new Request(url, {
    method,
    headers: headers.map(([name, value]): [string, string] => [name, value]),
    ...(body === null ? {} : { body: new Uint8Array(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
}

async function answered(api: InPageApi, request: TransportRequest): Promise<TransportOutcome> {
  const response = await api(asRequest(request));
  const body = new Uint8Array(await response.arrayBuffer());
  const headers: HeaderPair[] = [...response.headers];
  return { ok: true, response: { status: response.status, headers, body } };
}

/**
 * Stands where HTTP would be: requests are answered by functions of this page, by their origin, and never sent
 * (SURF-58). `others` answers at all other origins.
 */
export function pageTransport(apis: ReadonlyMap<string, InPageApi>, others?: InPageApi): Transport {
  return {
    send: async (request) => {
      const { origin } = new URL(request.url);
      const api = apis.get(origin) ?? others;
      if (api !== undefined) return answered(api, request);
      const detail = `${origin} is not in this page, and the page asks nobody else`;
      return { ok: false, failure: { kind: "connect", sent: false, detail } };
    },
    close: () => Promise.resolve(),
  };
}
