import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Connect, foreignHost, LOOPBACK_HOSTS, problemResponse } from "@plasm/host";

/** The pages on which people sign in, on a port of this machine. */
export interface SignInPages {
  readonly origin: string;
  close(): Promise<void>;
}

/** More than a form with a key has. */
const MOST_BYTES = 16_384;

/** The body of a form; null if it is longer than one is. */
async function bodyOf(incoming: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MOST_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

async function requestOf(incoming: IncomingMessage, origin: string): Promise<Request | null> {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers))
    if (typeof value === "string") headers.set(name, value);
  const method = incoming.method ?? "GET";
  const url = new URL(incoming.url ?? "/", origin);
  if (method === "GET" || method === "HEAD") return new Request(url, { method: "GET", headers });
  const body = await bodyOf(incoming);
  // What has an address of its own, such as CONNECT or TRACE, cannot be one.
  return body === null || method !== "POST" ? null : new Request(url, { method, headers, body });
}

async function send(answer: Response, outgoing: ServerResponse): Promise<void> {
  const text = await answer.text();
  outgoing.writeHead(answer.status, [...answer.headers].flat());
  outgoing.end(text);
}

/**
 * Serves the pages on 127.0.0.1, for a program that serves nothing else over HTTP (RUN-128): any port unless one is named. Rejects as
 * the system does where it cannot listen.
 */
export async function openSignInPages(
  connect: Pick<Connect, "fetch" | "serveAt">,
  port: number,
): Promise<SignInPages> {
  let origin = "http://127.0.0.1";
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const request = await requestOf(incoming, origin);
    if (request === null) return send(new Response(null, { status: 400 }), outgoing);
    const refused = foreignHost(request, LOOPBACK_HOSTS);
    return send(
      refused === null ? await connect.fetch(request) : problemResponse(refused),
      outgoing,
    );
  };
  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  // Nobody is kept from ending who has no more work than this.
  server.unref();
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  connect.serveAt(origin, true);
  return {
    origin,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
