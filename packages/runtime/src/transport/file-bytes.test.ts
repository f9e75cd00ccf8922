import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { FileNotKeptError, type FileTaker, type TransportRequest } from "../ports.ts";
import { isFileAnswer } from "../decode/response-body.ts";
import { createHttpTransport } from "./http-transport.ts";

const transport = createHttpTransport();
const servers: Server[] = [];
afterAll(() => transport.close());
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
});

async function serve(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer(handle);
  servers.push(server);
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** A taker that hashes what it reads, and what it has read. */
function taker(over: Partial<FileTaker> = {}): FileTaker & { readonly read: () => number } {
  let size = 0;
  return {
    from: 1_001,
    takes: isFileAnswer,
    maxBytes: 10_000_000,
    timeoutMs: 5_000,
    read: () => size,
    take: async (_headers, content) => {
      const hash = createHash("sha256");
      for await (const piece of content) {
        hash.update(piece);
        size += piece.length;
      }
      const digest = hash.digest("hex");
      const open = () => Promise.reject(new Error("nobody reads it"));
      return { uri: "plasm:a", sha256: digest, size, mimeType: "", open: open as never };
    },
    ...over,
  };
}

const request = (url: string, over: Partial<TransportRequest> = {}): TransportRequest => ({
  method: "GET",
  url,
  headers: [],
  body: null,
  allowPrivate: true,
  connectTimeoutMs: 2_000,
  timeoutMs: 2_000,
  maxResponseBytes: 100_000,
  freshConnection: false,
  ...over,
});

const PNG = { "content-type": "image/png" };
const BYTES = Buffer.alloc(3_000_000, "abcdefg");

async function failureOf(url: string, over: Partial<TransportRequest>) {
  const outcome = await transport.send(request(url, over));
  return outcome.ok ? null : outcome.failure;
}

describe("VAL-01: an answer that is a file is taken as it comes", () => {
  test("whatever is larger than an answer may be", async () => {
    const url = await serve((_request, response) => response.writeHead(200, PNG).end(BYTES));
    const outcome = await transport.send(request(url, { file: taker() }));
    if (!outcome.ok) throw new Error(outcome.failure.detail);
    const { body, file } = outcome.response;
    expect([body.length, file?.size, file?.sha256]).toEqual([0, BYTES.length, sha256(BYTES)]);
  });

  test.each([
    ["gzip", gzipSync(BYTES)],
    ["identity", BYTES],
  ])("as it was before it was encoded for the way: %s", async (encoding, body) => {
    const headers = { ...PNG, "content-encoding": encoding };
    const url = await serve((_request, response) => response.writeHead(200, headers).end(body));
    const outcome = await transport.send(request(url, { file: taker() }));
    expect(outcome).toMatchObject({ ok: true, response: { file: { sha256: sha256(BYTES) } } });
  });

  test.each([
    ["of another status", 404, PNG, BYTES.subarray(0, 50_000)],
    ["that is small", 200, PNG, BYTES.subarray(0, 1_000)],
    ["of JSON", 200, { "content-type": "application/json" }, `[${"1,".repeat(20_000)}1]`],
    [
      "that says it is text and is JSON",
      200,
      { "content-type": "text/plain" },
      `["${"a".repeat(20_000)}"]`,
    ],
    ["of no type", 200, {}, "a".repeat(20_000)],
  ])("an answer %s stays in memory", async (_what, status, headers, body) => {
    const url = await serve((_request, response) => response.writeHead(status, headers).end(body));
    const outcome = await transport.send(request(url, { file: taker() }));
    if (!outcome.ok) throw new Error(outcome.failure.detail);
    expect(outcome.response.file).toBeUndefined();
    expect(Buffer.from(outcome.response.body).equals(Buffer.from(body))).toBe(true);
  });

  test("no more of it is in memory than waits to be read", async () => {
    let sent = 0;
    let drained = false;
    const url = await serve((_request, response) => {
      response.writeHead(200, PNG);
      const more = (): void => {
        while (sent < 100_000_000) {
          sent += 1_000_000;
          if (!response.write(Buffer.alloc(1_000_000, 1))) {
            response.once("drain", more);
            return;
          }
        }
        drained = true;
        response.end();
      };
      more();
    });
    const held: number[] = [];
    const file = taker({
      maxBytes: 200_000_000,
      timeoutMs: 60_000,
      take: async (headers, content) => {
        // What nobody reads for a while does not come.
        await new Promise((done) => setTimeout(done, 300));
        held.push(sent, Number(drained));
        return taker().take(headers, content);
      },
    });
    const outcome = await transport.send(request(url, { file }));
    expect(outcome).toMatchObject({ ok: true, response: { file: { size: 100_000_000 } } });
    expect(held[0]).toBeLessThan(20_000_000);
    expect(held[1]).toBe(0);
  });
});

describe("VAL-05: a file that does not come to its end is none", () => {
  test("larger than it may be, compressed or not", async () => {
    const file = taker({ maxBytes: 1_000_000 });
    const plain = await serve((_request, response) => response.writeHead(200, PNG).end(BYTES));
    const detail = "a file of more than 1000000 bytes";
    expect(await failureOf(plain, { file })).toMatchObject({ kind: "too_large", detail });
    const headers = { ...PNG, "content-encoding": "gzip" };
    const packed = gzipSync(BYTES);
    const gzip = await serve((_request, response) => response.writeHead(200, headers).end(packed));
    expect(await failureOf(gzip, { file })).toMatchObject({ kind: "too_large", detail });
  });

  test("a connection that ends within it is lost", async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { ...PNG, "content-length": "3000000" });
      response.write(BYTES.subarray(0, 1_000_000), () => response.destroy());
    });
    expect(await failureOf(url, { file: taker() })).toMatchObject({ kind: "lost", sent: true });
  });

  test("a body that does not decompress is malformed", async () => {
    const headers = { ...PNG, "content-encoding": "gzip" };
    const url = await serve((_request, response) => response.writeHead(200, headers).end(BYTES));
    expect(await failureOf(url, { file: taker() })).toMatchObject({ kind: "malformed" });
  });

  test("a server that falls silent is given up, and so is one that takes too long", async () => {
    const silent = await serve((_request, response) => {
      response.writeHead(200, PNG).write(BYTES.subarray(0, 100_000));
    });
    const late = await failureOf(silent, { file: taker(), timeoutMs: 200 });
    expect(late).toMatchObject({ kind: "timeout", detail: "200 ms" });
    const whole = await failureOf(silent, { file: taker({ timeoutMs: 100 }) });
    expect(whole).toMatchObject({ kind: "timeout", detail: "100 ms" });
  });

  test("a caller that gives up", async () => {
    const abort = new AbortController();
    const url = await serve((_request, response) => {
      response.writeHead(200, PNG).write(BYTES.subarray(0, 100_000));
    });
    const file = taker({
      take: (headers, content) => {
        abort.abort();
        return taker().take(headers, content);
      },
    });
    const failure = await failureOf(url, { file, signal: abort.signal });
    expect(failure).toMatchObject({ kind: "aborted" });
  });

  test("what its taker says is told", async () => {
    const url = await serve((_request, response) => response.writeHead(200, PNG).end(BYTES));
    const take = () => Promise.reject(new FileNotKeptError("It is not wanted.", "want it"));
    const failure = await failureOf(url, { file: taker({ take }) });
    expect(failure).toMatchObject({ kind: "unkept", detail: "It is not wanted.", fix: "want it" });
  });
});

describe("VAL-02: a body that is sent as it is read", () => {
  test("has its length, and is opened for each attempt", async () => {
    const got: { readonly length: string | undefined; readonly sha256: string }[] = [];
    const url = await serve((incoming, response) => {
      const hash = createHash("sha256");
      incoming.on("data", (piece: Buffer) => hash.update(piece));
      incoming.on("end", () => {
        got.push({ length: incoming.headers["content-length"], sha256: hash.digest("hex") });
        response.writeHead(204).end();
      });
    });
    let opened = 0;
    const stream = {
      size: BYTES.length,
      sha256: sha256(BYTES),
      async *open() {
        opened += 1;
        for (let at = 0; at < BYTES.length; at += 70_000) yield BYTES.subarray(at, at + 70_000);
      },
    };
    for (let attempt = 0; attempt < 2; attempt++) {
      const outcome = await transport.send(request(url, { method: "POST", stream }));
      expect(outcome).toMatchObject({ ok: true, response: { status: 204 } });
    }
    expect(opened).toBe(2);
    const each = { length: "3000000", sha256: sha256(BYTES) };
    expect(got).toEqual([each, each]);
  });

  test("a source that breaks is a failure, and no body that ends too early", async () => {
    let ended = 0;
    const url = await serve((incoming, response) => {
      incoming.on("error", () => undefined);
      incoming.on("end", () => (ended += 1));
      incoming.on("data", () => undefined);
      incoming.on("end", () => response.writeHead(204).end());
    });
    const stream = {
      size: BYTES.length,
      sha256: sha256(BYTES),
      async *open() {
        yield BYTES.subarray(0, 100_000);
        throw new Error("the disk is gone");
      },
    };
    const failure = await failureOf(url, { method: "POST", stream });
    expect(failure).toMatchObject({ sent: true });
    expect(ended).toBe(0);
  });
});
