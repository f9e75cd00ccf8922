import { afterEach, describe, expect, test } from "vitest";
import { type Received, type Reply, startHarbour, type TestServer } from "@plasm/testkit/servers";
import { systemClock, type TransportRequest } from "../ports.ts";
import { effect, effectNode } from "../testing/effect-nodes.ts";
import { fixture, run, type Setting } from "../testing/fixture-run.ts";
import { planProgram } from "../testing/run-program.ts";
import { createHttpTransport } from "../transport/http-transport.ts";

const quay = fixture("quay");
const servers: TestServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** The machine's clock, but that it stands still until `start`: what a busy machine takes before is no time. */
function stoppedClock() {
  const epoch = Date.now();
  let started: number | null = null;
  return {
    now: () => (started === null ? epoch : epoch + Date.now() - started),
    sleep: systemClock.sleep,
    start: () => void (started ??= Date.now()),
  };
}

/** A quay behind which some requests hang, and a setting whose clock goes from the first of them on. */
async function hanging(wall: number, hangs: (request: Received) => Reply | null) {
  const clock = stoppedClock();
  const harbour = await startHarbour(45, (request) => {
    const reply = hangs(request);
    if (reply !== null) clock.start();
    return reply;
  });
  servers.push(harbour.server);
  const setting: Setting = {
    catalogs: [quay],
    backends: { quay: harbour.server.url },
    clock,
    limits: { wall },
  };
  return { harbour, setting };
}

async function timed<T>(task: Promise<T>): Promise<{ readonly value: T; readonly ms: number }> {
  const started = Date.now();
  const value = await task;
  return { value, ms: Date.now() - started };
}

const FOREVER = 60_000;

function runText(setting: Setting, text: string) {
  const { nodes, returns } = planProgram(text, setting.catalogs);
  return run(setting, nodes, returns);
}

describe("RUN-024, RUN-130: a read takes no longer than the run may", () => {
  test("an API that hangs at once: that it does, and for how long", async () => {
    const { setting } = await hanging(1, () => ({ delay: FOREVER }));
    const { value, ms } = await timed(runText(setting, "Boat.sort(length)"));
    expect(ms).toBeGreaterThanOrEqual(950);
    expect(ms).toBeLessThan(FOREVER);
    expect(value.status).toBe("failed");
    expect(value.nodes[0]?.error).toMatchObject({
      code: "timeout",
      message: expect.stringMatching(
        /^GET .*\/boats did not answer within 1 s: the budget wall \(1 s\) of the run was spent in attempt 1 of 3\.$/,
      ),
    });
    expect(value.results[0]?.rows ?? []).toEqual([]);
  });

  test("one that hangs half way: what was read, partial", async () => {
    const { setting } = await hanging(1, ({ query }) =>
      query.get("page") === "3" ? { delay: FOREVER } : null,
    );
    const { value, ms } = await timed(runText(setting, "Boat.sort(length)[id]"));
    expect(ms).toBeLessThan(FOREVER);
    expect(value.results[0]?.partial).toBe("wall");
    expect(value.results[0]?.rows).toHaveLength(40);
  });

  test("an attempt has what is left of the run, not more", async () => {
    const { setting } = await hanging(1, () => null);
    const transport = createHttpTransport();
    const limits: number[] = [];
    const send = (request: TransportRequest) => {
      limits.push(request.timeoutMs);
      return transport.send(request);
    };
    await runText({ ...setting, transport: { send, close: () => transport.close() } }, "Boat");
    expect(limits).toHaveLength(1);
    expect(limits[0]).toBeGreaterThan(0);
    expect(limits[0]).toBeLessThanOrEqual(1_000);
    await transport.close();
  });

  test("no effect runs on what was cut off", async () => {
    const { harbour, setting } = await hanging(1, ({ query }) =>
      query.get("page") === "3" ? { delay: FOREVER } : null,
    );
    const { value } = await timed(runText(setting, "r = Boat\nr => Boat(_.id).ping()"));
    expect(value.status).toBe("failed");
    expect(value.nodes[1]?.error?.code).toBe("partial_source");
    expect(harbour.performed).toEqual([]);
  });
});

describe("PLAN-065: a running effect is awaited, as long as an attempt may take", () => {
  const pings = ["b1", "b2"].map((id, at) =>
    effectNode(`n${at + 1}`, at, effect("action", id, {}, "ping")),
  );

  test("it is done, and the next one is not started", async () => {
    const { harbour, setting } = await hanging(1, ({ path, method }) =>
      method === "POST" && path === "/boats/b1/ping"
        ? { status: 204, text: "", delay: 1_500 }
        : null,
    );
    const { value, ms } = await timed(run(setting, pings));
    expect(ms).toBeGreaterThanOrEqual(1_450);
    expect(value.effects.map(({ target, status }) => `${target} ${status}`)).toEqual([
      "Boat:b1 done",
      "Boat:b2 skipped",
    ]);
    expect([value.status, value.stopped]).toEqual(["failed", "wall"]);
    expect(harbour.performed).toEqual([]);
  });

  test("its attempt has the time of RUN-024, whatever is left of the run", async () => {
    const { setting } = await hanging(1, () => null);
    const transport = createHttpTransport();
    const limits: number[] = [];
    const send = (request: TransportRequest) => {
      limits.push(request.timeoutMs);
      return transport.send(request);
    };
    await run({ ...setting, transport: { send, close: () => transport.close() } }, pings);
    expect(limits).toEqual([30_000, 30_000]);
    await transport.close();
  });
});
