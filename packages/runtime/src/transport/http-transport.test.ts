import { type Reply, startServer } from "@plasm/testkit/servers";
import { pbkdf2 } from "node:crypto";
import dns from "node:dns";
import { getEventListeners } from "node:events";
import { syncBuiltinESMExports } from "node:module";
import { type AddressInfo, createServer } from "node:net";
import { promisify } from "node:util";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import type { TransportRequest } from "../ports.ts";
import { AddressRefusedError } from "./address-refused-error.ts";
import { guardedLookup } from "./addresses.ts";
import { Cancels, createHttpTransport } from "./http-transport.ts";

const pbkdf2Async = promisify(pbkdf2);

const transport = createHttpTransport();
afterAll(() => transport.close());

const request = (url: string, over: Partial<TransportRequest> = {}): TransportRequest => ({
  method: "GET",
  url,
  headers: [],
  body: null,
  allowPrivate: true,
  connectTimeoutMs: 2_000,
  timeoutMs: 2_000,
  maxResponseBytes: 1_000,
  freshConnection: false,
  ...over,
});

async function answered(reply: Reply, over: Partial<TransportRequest> = {}) {
  const server = await startServer(() => reply);
  const outcome = await transport.send(request(`${server.url}/x`, over));
  await server.close();
  return outcome;
}

describe("RUN-140: addresses are checked at connect time", () => {
  test.each([
    "127.0.0.1",
    "localhost",
    "sub.localhost",
    "2130706433",
    "0x7f.1",
    "0177.0.0.1",
    "0.0.0.0",
    "10.0.0.1",
    "100.64.0.1",
    "169.254.169.254",
    "172.16.0.1",
    "192.0.0.8",
    "192.168.1.1",
    "224.0.0.1",
    "[::]",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:a9fe:a9fe]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "[fd00::1]",
    "[fe80::1]",
    "[ff02::1]",
  ])("http://%s is refused", async (host) => {
    const server = await startServer(() => ({ json: {} }));
    const { port } = new URL(server.url);
    const outcome = await transport.send(
      request(`http://${host}:${port}/`, { allowPrivate: false }),
    );
    // A resolver may not know sub.localhost at all.
    const legal = host === "sub.localhost" ? ["address_refused", "connect"] : ["address_refused"];
    expect(legal).toContain(outcome.ok ? "answered" : outcome.failure.kind);
    expect(server.log).toEqual([]);
    await server.close();
  });

  test.each<[string[], string | null]>([
    [["127.0.0.1"], null],
    [["::1", "10.0.0.9"], null],
    [["10.0.0.9", "93.184.216.34"], "93.184.216.34"],
    [["93.184.216.34"], "93.184.216.34"],
  ])("a name that leads to %j gives %s", (addresses, expected) => {
    const found = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    const look = guardedLookup((_name, _options, callback) => callback(null, found));
    let answer: unknown;
    look("public.example", { all: false }, (error, address) => {
      answer = error instanceof AddressRefusedError ? null : address;
    });
    expect(answer).toBe(expected);
  });

  test.each<[TransportRequest["allowPrivate"], boolean]>([
    [false, false],
    [true, false],
    ["named", true],
  ])(
    "18.15 a name of an inner network, with allowPrivate %s: answered %s",
    async (allowPrivate, expected) => {
      const { lookup } = dns;
      const resolve = (...given: readonly unknown[]): void => {
        const [options, callback] = given.slice(1) as [
          { all?: boolean },
          (...args: unknown[]) => void,
        ];
        const found = { address: "127.0.0.1", family: 4 };
        if (options.all === true) callback(null, [found]);
        else callback(null, found.address, found.family);
      };
      Object.assign(dns, { lookup: resolve });
      syncBuiltinESMExports();
      const server = await startServer(() => ({ json: {} }));
      const { port } = new URL(server.url);
      const sent = request(`http://orchard.intranet.example:${port}/`, { allowPrivate });
      const outcome = await transport.send(sent);
      Object.assign(dns, { lookup });
      syncBuiltinESMExports();
      await server.close();
      expect(outcome.ok).toBe(expected);
    },
  );

  test("the backend that is itself private is reached", async () => {
    expect((await answered({ json: { ok: 1 } })).ok).toBe(true);
  });
});

describe("RUN-028: size and encodings", () => {
  const text = JSON.stringify({ hello: "there", filler: "x".repeat(300) });
  test.each<[string, Uint8Array]>([
    ["gzip", gzipSync(text)],
    ["deflate", deflateSync(text)],
    ["deflate", deflateRawSync(text)],
    ["br", brotliCompressSync(text)],
    ["identity", Buffer.from(text)],
  ])("%s", async (encoding, bytes) => {
    const outcome = await answered({ bytes, headers: { "content-encoding": encoding } });
    if (!outcome.ok) throw new Error(outcome.failure.detail);
    expect(Buffer.from(outcome.response.body).toString()).toBe(text);
  });

  test("two encodings are undone in turn", async () => {
    const bytes = brotliCompressSync(gzipSync(text));
    const outcome = await answered({ bytes, headers: { "content-encoding": "gzip, br" } });
    expect(outcome.ok && Buffer.from(outcome.response.body).toString()).toBe(text);
  });

  test("18.17 three encodings are undone, a fourth is refused before any is", async () => {
    const three = gzipSync(brotliCompressSync(gzipSync(text)));
    const headers = { "content-encoding": "gzip, br, gzip" };
    const undone = await answered({ bytes: three, headers });
    expect(undone.ok && Buffer.from(undone.response.body).toString()).toBe(text);
    const four = await answered({
      bytes: gzipSync(three),
      headers: { "content-encoding": "gzip, br, gzip, gzip" },
    });
    expect(four.ok ? null : four.failure).toMatchObject({
      kind: "malformed",
      detail: "4 content encodings, where at most 3 are undone",
    });
  });

  test.each<[string, "timeout" | "aborted"]>([
    ["the request's own time", "timeout"],
    ["its signal", "aborted"],
  ])("18.17 what decompresses for too long ends with %s", async (_what, kind) => {
    // The system's threads, which decompress, have other work for longer than the request has time.
    const busy = Array.from({ length: 8 }, () => pbkdf2Async("p", "s", 800_000, 64, "sha512"));
    const stop = new AbortController();
    const reply = { bytes: gzipSync(text), headers: { "content-encoding": "gzip" } };
    const over =
      kind === "timeout" ? { timeoutMs: 300 } : { signal: stop.signal, timeoutMs: 60_000 };
    const answer = answered(reply, over);
    setTimeout(() => stop.abort(), 300);
    const outcome = await answer;
    expect(outcome.ok ? null : outcome.failure).toMatchObject({ kind, sent: true });
    await Promise.all(busy);
  });

  test.each<[string, Reply]>([
    ["plain", { text: "y".repeat(1_001) }],
    ["compressed", { bytes: gzipSync("y".repeat(1_001)), headers: { "content-encoding": "gzip" } }],
  ])("a %s body over the limit is too_large", async (_name, reply) => {
    const outcome = await answered(reply);
    expect(outcome.ok ? null : outcome.failure.kind).toBe("too_large");
  });
});

describe("what keeps an answer from coming", () => {
  test("RUN-024 no answer in time", async () => {
    const outcome = await answered({ json: {}, delay: 500 }, { timeoutMs: 50 });
    expect(outcome.ok ? null : outcome.failure).toMatchObject({ kind: "timeout", sent: true });
  });

  test("a lost connection may have been sent, a refused one was not", async () => {
    const lost = await answered({ hangUp: true });
    expect(lost.ok ? null : lost.failure).toMatchObject({ kind: "lost", sent: true });
    const server = await startServer(() => ({}));
    await server.close();
    const refused = await transport.send(request(server.url));
    expect(refused.ok ? null : refused.failure).toMatchObject({ kind: "connect", sent: false });
  });

  test("something that is not HTTP", async () => {
    const server = createServer((socket) => socket.end("SSH-2.0-OpenSSH\r\n"));
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    const { port } = server.address() as AddressInfo;
    const outcome = await transport.send(request(`http://127.0.0.1:${port}/`));
    expect(outcome.ok ? null : outcome.failure.kind).toBe("malformed");
    server.close();
  });

  test("a caller that gives up", async () => {
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 20);
    const outcome = await answered({ json: {}, delay: 500 }, { signal: abort.signal });
    expect(outcome.ok ? null : outcome.failure.kind).toBe("aborted");
  });

  test("RUN-141 cookies are not kept", async () => {
    const server = await startServer(() => ({ json: {}, headers: { "set-cookie": "a=1" } }));
    await transport.send(request(server.url));
    await transport.send(request(server.url));
    expect(server.log.map(({ headers }) => headers.cookie)).toEqual([undefined, undefined]);
    await server.close();
  });
});

const listeners = (signal: AbortSignal): number => getEventListeners(signal, "abort").length;

describe("a caller that gives up is heard once for all its requests", () => {
  test("each that is under way is told, those that are over are not", () => {
    const [abort, cancels] = [new AbortController(), new Cancels()];
    const told: string[] = [];
    const add = (name: string) => cancels.add(abort.signal, () => told.push(name));
    const over = add("first");
    add("second");
    over();
    add("third");
    expect(listeners(abort.signal)).toBe(1);
    abort.abort();
    expect(told).toEqual(["second", "third"]);
  });

  test("nobody listens where nothing is under way, and the next one is told again", () => {
    const [abort, cancels] = [new AbortController(), new Cancels()];
    const told: string[] = [];
    cancels.add(abort.signal, () => told.push("first"))();
    expect(listeners(abort.signal)).toBe(0);
    cancels.add(abort.signal, () => told.push("second"));
    abort.abort();
    expect(told).toEqual(["second"]);
  });

  test("one that ends as it is told ends once, and callers are apart", () => {
    const [one, other, cancels] = [new AbortController(), new AbortController(), new Cancels()];
    const told: string[] = [];
    const over = cancels.add(one.signal, () => {
      told.push("one");
      over();
    });
    cancels.add(other.signal, () => told.push("other"));
    one.abort();
    over();
    expect(told).toEqual(["one"]);
    expect([listeners(one.signal), listeners(other.signal)]).toEqual([0, 1]);
  });
});
