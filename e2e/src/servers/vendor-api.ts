import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import type { Endings } from "./endings.ts";

/** A row as an API answers it. */
export type Row = Record<string, unknown>;

/** One request as it came, and what it was answered with. */
export interface VendorRequest {
  /** method, path and query: `GET /v2/droplets?page=2` */
  readonly line: string;
  readonly headers: Headers;
  /** as it was sent; empty where there was none */
  readonly body: string;
  readonly status: number;
}

/** A fake of a vendor's API, on data of its own. */
export interface VendorApi {
  /** origin without a final slash, on 127.0.0.1 */
  readonly url: string;
  /** in order of arrival */
  readonly requests: readonly VendorRequest[];
  /** The lines of the requests that came since the last call, and forgets them. */
  taken(): readonly string[];
}

/** Serves an app on a free port, and keeps a log; `make` is given how the API calls itself in addresses. */
export async function serveVendorApi(
  endings: Endings,
  make: (origin: () => string) => Hono,
): Promise<VendorApi> {
  const requests: VendorRequest[] = [];
  let url = "";
  const app = make(() => url);
  const answer = async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    const body = await request.clone().text();
    const response = await app.fetch(request);
    const line = `${request.method} ${decodeURIComponent(pathname + search)}`;
    requests.push({ line, headers: request.headers, body, status: response.status });
    return response;
  };
  const handle = getRequestListener(answer, { overrideGlobalObjects: false });
  const server = createServer((incoming, outgoing) => void handle(incoming, outgoing));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  endings.add(
    () =>
      new Promise((done) => {
        server.close(done);
        server.closeAllConnections();
      }),
  );
  return {
    url,
    requests,
    taken: () => requests.splice(0).map(({ line }) => line),
  };
}
