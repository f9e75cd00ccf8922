import { createServer, type Server, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import type { Dispatcher } from "undici";
import { afterEach, describe, expect, test } from "vitest";
import type { TransportRequest } from "../ports.ts";
import { createHttpTransport } from "./http-transport.ts";
import { type Received, ReceivedAnswer } from "./received-answer.ts";

const transport = createHttpTransport();
const servers: Server[] = [];
const sockets: Socket[] = [];

afterEach(async () => {
  await transport.close();
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

/** A hold on a request that notes why it is let go. */
const controller = (aborts: Error[]): Dispatcher.DispatchController => ({
  aborted: false,
  paused: false,
  reason: null,
  abort: (reason) => void aborts.push(reason),
  pause: () => undefined,
  resume: () => undefined,
});

/** A server that does as it is told with each request it is sent. */
async function wire(answer: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    sockets.push(socket.on("error", () => undefined).on("data", () => answer(socket)));
  });
  servers.push(server);
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const request = (url: string, over: Partial<TransportRequest> = {}): TransportRequest => ({
  method: "GET",
  url,
  headers: [["Accept", "application/json"]],
  body: null,
  allowPrivate: true,
  connectTimeoutMs: 2_000,
  timeoutMs: 20_000,
  maxResponseBytes: 20,
  freshConnection: false,
  ...over,
});

/** Writes pieces one after the other, each in a turn of the event loop of its own. */
const inPieces = (socket: Socket, pieces: readonly string[]): void => {
  const [first, ...rest] = pieces;
  if (first === undefined) return;
  socket.write(first);
  setImmediate(() => inPieces(socket, rest));
};

const HEAD = "HTTP/1.1 200 OK\r\nContent-Length: 12\r\nX-Two: a\r\nX-Two: b\r\n\r\n";

describe("RUN-024, RUN-028: an answer is taken as its bytes come", () => {
  test.each<[string, readonly string[]]>([
    ["at once", [`${HEAD}hello, there`]],
    ["in pieces", [HEAD, "hello", ", ", "there"]],
    [
      "after an interim answer",
      ["HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", HEAD, "hello, there"],
    ],
    ["in a head that is cut", [HEAD.slice(0, 25), HEAD.slice(25), "hello, there"]],
  ])("%s", async (_how, pieces) => {
    const url = await wire((socket) => inPieces(socket, pieces));
    const outcome = await transport.send(request(url));
    if (!outcome.ok) throw new Error(outcome.failure.detail);
    const { status, headers, body } = outcome.response;
    expect(status).toBe(200);
    expect(headers).toEqual([
      ["content-length", "12"],
      ["x-two", "a"],
      ["x-two", "b"],
    ]);
    expect(Buffer.from(body).toString()).toBe("hello, there");
  });

  test.each<[string, readonly string[], string]>([
    [
      "more bytes than are wanted",
      ["HTTP/1.1 200 OK\r\n\r\n", "x".repeat(15), "x".repeat(15)],
      "too_large",
    ],
    ["no length, and a body of none", ["HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"], "answered"],
  ])("%s", async (_what, pieces, expected) => {
    const url = await wire((socket) => inPieces(socket, pieces));
    const outcome = await transport.send(request(url));
    expect(outcome.ok ? "answered" : outcome.failure.kind).toBe(expected);
  });

  test("a connection that ends within a body is lost, and may have been heard", async () => {
    const url = await wire((socket) => socket.end(`${HEAD}hello`));
    const outcome = await transport.send(request(url));
    expect(outcome.ok ? null : outcome.failure).toMatchObject({ kind: "lost", sent: true });
  });

  test("a caller that gives up within a body has no answer, and its connection is not used again", async () => {
    const abort = new AbortController();
    let heard = 0;
    const url = await wire((socket) => {
      heard += 1;
      socket.write(heard === 1 ? `${HEAD}hello` : `${HEAD}hello, there`);
      if (heard === 1) abort.abort();
    });
    const cut = await transport.send(request(url, { signal: abort.signal }));
    expect(cut.ok ? null : cut.failure.kind).toBe("aborted");
    const next = await transport.send(request(url));
    expect(next.ok ? Buffer.from(next.response.body).toString() : null).toBe("hello, there");
    expect(sockets).toHaveLength(2);
  });

  test("a caller that has given up before sends nothing", async () => {
    let heard = 0;
    const url = await wire(() => void (heard += 1));
    const outcome = await transport.send(request(url, { signal: AbortSignal.abort() }));
    expect(outcome.ok ? null : outcome.failure.kind).toBe("aborted");
    expect([heard, sockets.length]).toEqual([0, 0]);
  });

  test("what is given up before it is sent is not sent when its connection stands", () => {
    const ended: Received["kind"][] = [];
    const answer = new ReceivedAnswer({ maxResponseBytes: 20 }, ({ kind }) => ended.push(kind));
    answer.giveUp("timeout");
    const aborts: Error[] = [];
    answer.onRequestStart(controller(aborts));
    answer.onResponseError(null, aborts[0]);
    expect(ended).toEqual(["timeout"]);
    expect(aborts).toHaveLength(1);
  });
});
