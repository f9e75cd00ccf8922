import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { problem, problemDocument, type Problem } from "@plasm/agent-core";

function problemOf(code: string | undefined): Problem {
  if (code === "HPE_HEADER_OVERFLOW") {
    return problem("plasm-too-large", "The headers of the request are too large.");
  }
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return problem("plasm-bad-request", "The request took too long to arrive.", {
      retryable: true,
    });
  }
  return problem("plasm-bad-request", "The request is not well-formed HTTP.");
}

function answer(socket: Duplex, { status, ...rest }: Problem): void {
  const body = JSON.stringify(problemDocument({ status, ...rest }));
  const head = [
    `HTTP/1.1 ${status} Refused`,
    "Content-Type: application/problem+json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}

/** Answers what Node's parser cannot read as a problem, too (SURF-18). */
export function answerMalformed(server: Server): void {
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) socket.destroy();
    else answer(socket, problemOf(error.code));
  });
  // An expectation that cannot be met is no reason to refuse the request itself.
  server.on("checkExpectation", (request, response) => {
    server.emit("request", request, response);
  });
}

/** Answers a request that has more headers than are taken, and ends its connection. */
export function answerTooManyHeaders({ socket, rawHeaders }: IncomingMessage, most: number): void {
  const text = `The request has ${rawHeaders.length / 2} headers; at most ${most} are taken.`;
  answer(socket, problem("plasm-too-large", text));
}
