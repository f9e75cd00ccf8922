import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import type { Problem } from "@plasm/agent-core";
import { problem, problemDocument } from "@plasm/agent-core/internal";

interface Limits {
  readonly headersMs: number;
  readonly requestMs: number;
}

interface Hold {
  readonly endedAt: number;
  readonly ms: number;
}

/** Into how many beats the least limit is divided: holds that are shorter than one are not noticed. */
const BEATS = 20;

/**
 * Lets a server count against its requests only time in which it could read them. Node counts from the moment a connection was
 * accepted, and looks at its limits before it reads what has arrived: a request that lay in the socket while the loop was held for
 * longer than the limit, by work or because the process stood still, would be reset. Node asks for both limits whenever it looks.
 */
export function countServedTime(server: Server, { headersMs, requestMs }: Limits): void {
  const beatMs = Math.min(headersMs, requestMs) / BEATS;
  const keptMs = Math.max(headersMs, requestMs);
  let holds: readonly Hold[] = [];
  let last = performance.now();
  const beat = (): number => {
    const now = performance.now();
    const ms = now - last - beatMs;
    last = now;
    if (ms > beatMs) {
      const kept = holds.filter(({ endedAt }) => endedAt > now - keptMs);
      holds = [...kept, { endedAt: now, ms }];
    }
    return now;
  };
  const timer = setInterval(beat, beatMs).unref();
  server.once("close", () => clearInterval(timer));
  /** A hold counts whole until whoever it held up has had the limit's time since. */
  const lengthened = (limitMs: number): number => {
    const since = beat() - limitMs;
    return holds.reduce((sum, { endedAt, ms }) => (endedAt > since ? sum + ms : sum), limitMs);
  };
  Object.defineProperties(server, {
    headersTimeout: { get: () => lengthened(headersMs) },
    requestTimeout: { get: () => lengthened(requestMs) },
  });
}

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
