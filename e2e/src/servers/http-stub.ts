import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from "node:http";
import type { AddressInfo } from "node:net";
import type { Endings } from "./endings.ts";

/** An answer of a stub. */
export interface StubAnswer {
  readonly status?: number;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: object;
}

/** A server of a few lines, for what the real one does not do. */
export interface HttpStub {
  readonly url: string;
  /** method, path and query of each request, and its Authorization */
  readonly requests: readonly {
    readonly line: string;
    readonly authorization: string | undefined;
  }[];
}

/** Starts one on a free port; `answer` is given method, path and query, and the headers. */
export async function startHttpStub(
  endings: Endings,
  answer: (line: string, url: URL, headers: IncomingHttpHeaders) => StubAnswer,
): Promise<HttpStub> {
  const requests: { line: string; authorization: string | undefined }[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    request.resume();
    const line = `${request.method} ${request.url}`;
    requests.push({ line, authorization: request.headers.authorization });
    const told = answer(line, new URL(request.url ?? "/", "http://stub"), request.headers);
    const { status = 200, headers = {}, body } = told;
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(body === undefined ? "" : JSON.stringify(body));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  endings.add(
    () =>
      new Promise((done) => {
        server.close(done);
        server.closeAllConnections();
      }),
  );
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}
