import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { setImmediate } from "node:timers/promises";
import { drip, type Fault, type FaultProxy, SILENCE, startFaultProxy } from "@plasm/testkit";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { TransportRequest } from "../../ports.ts";
import { fixture, quickClock, run, type Setting } from "../../testing/fixture-run.ts";
import { planProgram } from "../../testing/run-program.ts";
import { createHttpTransport } from "../../transport/http-transport.ts";

/** A way in which an API takes a request and does not come to an end with it. */
interface Hang {
  readonly how: string;
  readonly fault: Fault;
  /** how many bytes of a body come of it; null where not even its head does */
  readonly bytes: number | null;
  readonly said: string;
}

const begun = '{"items":[{';
const HANGS: readonly Hang[] = [
  { how: "never answers", fault: SILENCE, bytes: null, said: "did not answer" },
  {
    how: "answers a byte at a time",
    fault: drip(10),
    bytes: 3,
    said: "began to answer and did not end",
  },
  {
    how: "hangs after its head",
    fault: { kind: "stall", sent: "" },
    bytes: 0,
    said: "(0 bytes came)",
  },
  {
    how: "hangs in the middle of its body",
    fault: { kind: "stall", sent: begun },
    bytes: begun.length,
    said: `(${begun.length} bytes came)`,
  },
];

const transport = createHttpTransport();
const proxies: FaultProxy[] = [];

/** What the client has seen of the answer to its last request: bytes of its body, null before its head. */
let seen: number | null = null;
const onHead = (): void => void (seen ??= 0);
const onChunk = (message: unknown): void => {
  seen = (seen ?? 0) + (message as { chunk: Uint8Array }).chunk.length;
};
const HEAD = "undici:request:headers";
const CHUNK = "undici:request:bodyChunkReceived";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  subscribe(HEAD, onHead);
  subscribe(CHUNK, onChunk);
});
afterEach(async () => {
  unsubscribe(HEAD, onHead);
  unsubscribe(CHUNK, onChunk);
  vi.useRealTimers();
  await Promise.all(proxies.splice(0).map((proxy) => proxy.close()));
});

/**
 * A run whose time passes only while it waits: in full between attempts, and in an attempt once all has come that ever
 * will. So each limit strikes where it would, however busy the machine is.
 */
async function hanging({ fault, bytes }: Hang, wall: number) {
  const proxy = await startFaultProxy("http://127.0.0.1:1", [{ fault }]);
  proxies.push(proxy);
  const clock = quickClock();
  const hasCome = (before: number): boolean =>
    proxy.requests.length > before && (bytes === null || (seen !== null && seen >= bytes));
  const send = async (request: TransportRequest) => {
    seen = null;
    const before = proxy.requests.length;
    const outcome = transport.send(request);
    while (!hasCome(before)) await setImmediate();
    await clock.sleep(request.timeoutMs);
    await vi.advanceTimersByTimeAsync(request.timeoutMs);
    return outcome;
  };
  const setting: Setting = {
    catalogs: [fixture("quay")],
    backends: { quay: proxy.url },
    clock,
    transport: { send, close: async () => undefined },
    limits: { wall },
  };
  const of = (text: string) => {
    const { nodes, returns } = planProgram(text, setting.catalogs);
    return run(setting, nodes, returns);
  };
  return { proxy, clock, of };
}

describe.each(HANGS)("18.5 an API that $how", (hang) => {
  const { said } = hang;

  test.each(['Boat("b1")', "Boat.aggregate(n=count)", "Boat.sort(length)[id]"])(
    "a run with 45 s ends with the API and the wall, in the attempt it struck in: %s",
    async (program) => {
      const { proxy, clock, of } = await hanging(hang, 45);
      const { status, nodes, results } = await of(program);
      const error = nodes.find((node) => node.error !== null)?.error;
      expect(status).toBe("failed");
      expect(error).toMatchObject({ code: "timeout", retryable: true });
      expect(error?.message).toContain(`GET ${proxy.url}/boats`);
      expect(error?.message).toContain(said);
      expect(error?.message).toContain(
        "the budget wall (45 s) of the run was spent in attempt 2 of 3",
      );
      expect(error?.correction).toContain("all attempts together may take 91.5 s");
      expect(results.flatMap(({ rows }) => rows)).toEqual([]);
      expect(proxy.requests).toHaveLength(2);
      expect(clock.waits.reduce((sum, ms) => sum + ms, 0)).toBe(45_000);
    },
  );

  test.each(['Boat("b1")', "Boat.aggregate(n=count)"])(
    "a run with 30 min makes all tries and ends with the API and the limit of one: %s",
    async (program) => {
      const { proxy, clock, of } = await hanging(hang, 1_800);
      const { status, nodes } = await of(program);
      const error = nodes.find((node) => node.error !== null)?.error;
      expect(status).toBe("failed");
      expect(error).toMatchObject({ code: "timeout", retryable: true });
      expect(error?.message).toContain(said);
      expect(error?.message).not.toContain("wall");
      expect(proxy.requests).toHaveLength(3);
      expect(clock.waits.filter((ms) => ms === 30_000)).toHaveLength(3);
    },
  );
});
