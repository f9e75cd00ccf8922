import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the browser is told, and what came of an answer; undefined where it was not the one that is awaited. */
export interface Taken<T> {
  readonly status: number;
  readonly page: string;
  readonly result?: { readonly value: T } | { readonly error: unknown };
}

/** An address of this machine that a browser comes back to (RFC 8252). */
export interface LoopbackAddress {
  readonly redirectUri: string;
  /** The result of the first answer that `take` says was awaited; rejects when `signal` aborts. */
  answer<T>(take: (query: URLSearchParams) => Promise<Taken<T>>, signal: AbortSignal): Promise<T>;
  close(): Promise<void>;
}

const PATH = "/callback";

/** How long a connection may stand on which nothing was asked. */
const UNUSED_MS = 500;

function tell(response: ServerResponse, status: number, page: string): void {
  response.writeHead(status, {
    "content-type": "text/plain; charset=utf-8",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    connection: "close",
  });
  response.end(`${page}\n`);
}

/** Listens on 127.0.0.1 alone, on any port unless one is named. Rejects as the system does. */
export async function openLoopbackAddress(port: number): Promise<LoopbackAddress> {
  type Listener = (request: IncomingMessage, response: ServerResponse) => void;
  let listener: Listener = (_request, response) => tell(response, 503, "Not yet.");
  const server = createServer((request, response) => listener(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    redirectUri: `http://${host}${PATH}`,
    answer: (take, signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
        listener = (request, response) => {
          const url = new URL(request.url ?? "/", `http://${host}`);
          // A page that leads a name of its own to this machine is not the browser that was sent here.
          const foreign = request.headers.host !== host || request.method !== "GET";
          if (foreign || url.pathname !== PATH) {
            tell(response, 404, "There is nothing here.");
            return;
          }
          take(url.searchParams).then(({ status, page, result }) => {
            tell(response, status, page);
            if (result === undefined) return;
            if ("error" in result) reject(result.error as Error);
            else resolve(result.value);
          }, reject);
        };
      }),
    close: () =>
      new Promise((resolve) => {
        // Browsers open connections that they never use; the page itself has gone out by then.
        const unused = setTimeout(() => server.closeAllConnections(), UNUSED_MS);
        server.close(() => {
          clearTimeout(unused);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}
