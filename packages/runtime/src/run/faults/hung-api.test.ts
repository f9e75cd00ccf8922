import { drip, type Fault, type FaultProxy, SILENCE, startFaultProxy } from "@plasm/testkit";
import { afterEach, describe, expect, test } from "vitest";
import { type Clock, systemClock, type TransportRequest } from "../../ports.ts";
import { fixture, run, type Setting } from "../../testing/fixture-run.ts";
import { planProgram } from "../../testing/run-program.ts";
import { createHttpTransport } from "../../transport/http-transport.ts";

/** One second of the documented limits passes in this many milliseconds. */
const SECOND_MS = 20;

/** The ways in which an API takes a request and does not come to an end with it. */
const HANGS: readonly (readonly [string, Fault, string])[] = [
  ["never answers", SILENCE, "did not answer"],
  ["answers a byte at a time", drip(10), "began to answer and did not end"],
  ["hangs after its head", { kind: "stall", sent: "" }, "(0 bytes came)"],
  ["hangs in the middle of its body", { kind: "stall", sent: '{"items":[{' }, "(11 bytes came)"],
];

const transport = createHttpTransport();
const proxies: FaultProxy[] = [];
afterEach(async () => {
  await Promise.all(proxies.splice(0).map((proxy) => proxy.close()));
});

/** The machine's clock, faster: every limit strikes as it would, and after as many tries. */
function fastClock(): Clock {
  const epoch = Date.now();
  const factor = 1_000 / SECOND_MS;
  return {
    now: () => epoch + Math.round((Date.now() - epoch) * factor),
    sleep: (ms, signal) => systemClock.sleep(ms / factor, signal),
  };
}

async function hanging(fault: Fault, wall: number) {
  const proxy = await startFaultProxy("http://127.0.0.1:1", [{ fault }]);
  proxies.push(proxy);
  const send = (request: TransportRequest) =>
    transport.send({ ...request, timeoutMs: (request.timeoutMs * SECOND_MS) / 1_000 });
  const setting: Setting = {
    catalogs: [fixture("quay")],
    backends: { quay: proxy.url },
    clock: fastClock(),
    transport: { send, close: async () => undefined },
    limits: { wall },
  };
  const of = (text: string) => {
    const { nodes, returns } = planProgram(text, setting.catalogs);
    return run(setting, nodes, returns);
  };
  return { proxy, of };
}

describe.each(HANGS)("18.5 an API that %s", (_how, fault, said) => {
  test.each(['Boat("b1")', "Boat.aggregate(n=count)", "Boat.sort(length)[id]"])(
    "a run with 45 s ends with the API and the wall, in the attempt it struck in: %s",
    async (program) => {
      const { proxy, of } = await hanging(fault, 45);
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
    },
  );

  test.each(['Boat("b1")', "Boat.aggregate(n=count)"])(
    "a run with 30 min makes all tries and ends with the API and the limit of one: %s",
    async (program) => {
      const { proxy, of } = await hanging(fault, 1_800);
      const { status, nodes } = await of(program);
      const error = nodes.find((node) => node.error !== null)?.error;
      expect(status).toBe("failed");
      expect(error).toMatchObject({ code: "timeout", retryable: true });
      expect(error?.message).toContain(said);
      expect(error?.message).not.toContain("wall");
      expect(proxy.requests).toHaveLength(3);
    },
  );
});
