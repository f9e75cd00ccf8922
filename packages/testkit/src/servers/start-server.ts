import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as a test server got it. */
export interface Received {
  readonly method: string;
  /** path and query as sent */
  readonly url: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** What a test server answers: JSON unless `text` or `bytes` is given. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly json?: unknown;
  readonly text?: string;
  readonly bytes?: Uint8Array;
  /** milliseconds before the answer */
  readonly delay?: number;
  /** closes the connection instead of answering */
  readonly hangUp?: boolean;
}

export interface TestServer {
  readonly url: string;
  readonly log: Received[];
  /** how many requests were open at once, at most */
  readonly mostOpen: () => number;
  close(): Promise<void>;
}

async function readAll(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request) body += String(chunk);
  return body;
}

function answer(response: ServerResponse, reply: Reply): void {
  if (reply.hangUp === true) {
    response.socket?.destroy();
    return;
  }
  const body = reply.bytes ?? reply.text ?? JSON.stringify(reply.json ?? null);
  const type =
    reply.bytes === undefined && reply.text === undefined ? "application/json" : "text/html";
  const headers = Object.entries(reply.headers ?? {}).map(
    ([name, value]): [string, string | string[]] => [
      name,
      typeof value === "string" ? value : [...value],
    ],
  );
  const named = headers.some(([name]) => name.toLowerCase() === "content-type");
  response.writeHead(
    reply.status ?? 200,
    Object.fromEntries(named ? headers : [["content-type", type], ...headers]),
  );
  response.end(body);
}

/** A real HTTP server on a free loopback port; it keeps what it was asked. */
export async function startServer(
  handle: (request: Received) => Reply | Promise<Reply>,
): Promise<TestServer> {
  const log: Received[] = [];
  let open = 0;
  let most = 0;
  const respond = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    most = Math.max(most, ++open);
    response.on("close", () => open--);
    const url = new URL(incoming.url ?? "/", "http://test");
    const received: Received = {
      method: incoming.method ?? "GET",
      url: incoming.url ?? "/",
      path: url.pathname,
      query: url.searchParams,
      headers: incoming.headers,
      body: await readAll(incoming),
    };
    log.push(received);
    const reply = await handle(received);
    if (reply.delay !== undefined) await new Promise((done) => setTimeout(done, reply.delay));
    answer(response, reply);
  };
  const server = createServer((incoming, response) => {
    respond(incoming, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    log,
    mostOpen: () => most,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}
