import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readFixtureCatalog } from "@plasm/testkit";
import { type Harbour, startHarbour } from "@plasm/testkit/servers";
import { effect, effectNode, forEach, lit, row } from "../../testing/effect-nodes.ts";
import { catalogOf, fixture, run, type Setting } from "../../testing/fixture-run.ts";
import type { ExpectedEffect } from "../../effects/effect-log.ts";
import { memoryLog } from "../../testing/memory-log.ts";
import { boat, boats } from "../../testing/nodes.ts";

let harbour: Harbour;
let setting: Setting;

beforeEach(async () => {
  harbour = await startHarbour(4);
  setting = { catalogs: [fixture("quay")], backends: { quay: harbour.server.url } };
});
afterEach(() => harbour.server.close());

const pings = [
  boats({ limit: 3 }),
  forEach("n2", 0, "n1", effect("action", row("id"), {}, "ping")),
];

describe("OPS-28, PLAN-073: the effect log", () => {
  test("started is durable before the request leaves, ended before the next effect starts", async () => {
    const order: string[] = [];
    const effectLog = memoryLog(async ({ seq, status }) => {
      await new Promise((done) => setTimeout(done, 5));
      order.push(`${status} ${seq} after ${harbour.performed.length}`);
    });
    await run({ ...setting, effectLog }, pings);
    expect(order).toEqual([
      "started 1 after 0",
      "done 1 after 1",
      "started 2 after 1",
      "done 2 after 2",
      "started 3 after 2",
      "done 3 after 3",
    ]);
  });

  test("an entry says all that PLAN-073 lists", async () => {
    const effectLog = memoryLog();
    const body = effect("action", "b2", { to: lit("harbour") }, "send");
    const { effects } = await run({ ...setting, effectLog }, [effectNode("n1", 0, body)]);
    const [started, ended] = effectLog.writes;
    const known = {
      seq: 1,
      node: "n1",
      row: null,
      entryId: "quay",
      entity: "Boat",
      capability: "boat_send",
      label: "send",
      target: "Boat:b2",
      args: { to: "harbour" },
      idempotencyKey: null,
      startedAt: Date.UTC(2026, 0, 5, 12),
    };
    expect(started).toEqual({
      ...known,
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      status: "started",
      endedAt: null,
      httpStatus: null,
      result: null,
      error: null,
    });
    expect(ended).toMatchObject({
      ...known,
      status: "done",
      endedAt: Date.UTC(2026, 0, 5, 12),
      httpStatus: 204,
      result: [{ ref: "Boat:b2", values: { ok: true } }],
    });
    expect(effects).toEqual([ended]);
  });

  test("a log that cannot start an effect: it is not sent, nor is any other", async () => {
    const defects: unknown[] = [];
    const effectLog = memoryLog((entry) =>
      entry.seq === 2 ? Promise.reject(new Error("disk full")) : Promise.resolve(),
    );
    const onDefect = (error: unknown): void => void defects.push(error);
    const outcome = await run({ ...setting, effectLog, onDefect }, [
      ...pings,
      effectNode("n3", 1, effect("action", "b4", {}, "ping")),
    ]);
    expect(harbour.performed).toEqual(["ping b1"]);
    expect(outcome.effects.map(({ status }) => status)).toEqual([
      "done",
      "skipped",
      "skipped",
      "skipped",
    ]);
    expect(outcome.nodes[1]?.error).toMatchObject({ code: "internal", row: 1 });
    expect(outcome.nodes[1]?.error?.message).toContain("not sent");
    expect(outcome.nodes[1]?.error?.message).not.toContain("disk full");
    expect(defects).toHaveLength(1);
  });

  test("a log that cannot end an effect: its outcome is told, and nothing else starts", async () => {
    const effectLog = memoryLog((entry) =>
      entry.status === "done" && entry.seq === 2
        ? Promise.reject(new Error("disk full"))
        : Promise.resolve(),
    );
    const outcome = await run({ ...setting, effectLog, onDefect: () => undefined }, pings);
    expect(harbour.performed).toEqual(["ping b1", "ping b2"]);
    expect(outcome.effects.map(({ status }) => status)).toEqual(["done", "done", "skipped"]);
    expect(outcome.nodes[1]?.error?.code).toBe("internal");
    expect(outcome.status).toBe("failed");
  });

  test("the items of a for_each are told before the first of them starts (PLAN-072)", async () => {
    const told: string[] = [];
    const log = memoryLog(async ({ seq, status }) => void told.push(`${status} ${seq}`));
    const expected = async (effects: readonly ExpectedEffect[]): Promise<void> => {
      told.push(...effects.map(({ node, row, target }) => `expected ${node}[${row}] ${target}`));
    };
    await run({ ...setting, effectLog: { ...log, expected } }, pings);
    expect(told.slice(0, 4)).toEqual([
      "expected n2[0] Boat:b1",
      "expected n2[1] Boat:b2",
      "expected n2[2] Boat:b3",
      "started 1",
    ]);
  });

  test("a log that cannot take the items: none of them is sent", async () => {
    const defects: unknown[] = [];
    const effectLog = { ...memoryLog(), expected: () => Promise.reject(new Error("disk full")) };
    const onDefect = (error: unknown): void => void defects.push(error);
    const outcome = await run({ ...setting, effectLog, onDefect }, pings);
    expect(harbour.performed).toEqual([]);
    expect(outcome.nodes[1]?.error?.code).toBe("internal");
    expect(defects).toHaveLength(1);
  });

  test("what was never sent is not written", async () => {
    const effectLog = memoryLog();
    const held = effectNode("n2", 0, effect("action", "b1", {}, "ping"));
    const gone = [{ label: "gone", node: "n1", page_size: null }];
    const { effects } = await run({ ...setting, effectLog }, [boat("b9"), held], gone);
    expect([effectLog.writes, effects.map(({ status, startedAt }) => [status, startedAt])]).toEqual(
      [[], [["skipped", null]]],
    );
  });

  test("RUN-142 secrets stay out of arguments, results and errors", async () => {
    const { domain, mappings } = readFixtureCatalog("quay");
    const keyed = domain.replace(
      "auth: { scheme: none }",
      "auth: { scheme: bearer_token, env: KEY }",
    );
    const own = {
      ...setting,
      catalogs: [catalogOf("quay", keyed, mappings)],
      env: { KEY: "s3cr3t-0123456789" },
    };
    const effectLog = memoryLog();
    const leak = "it is s3cr3t-0123456789";
    const nodes = [
      effectNode("n1", 0, effect("update", "b1", { note: lit(leak) })),
      effectNode("n2", 1, effect("update", "b9", { note: lit(leak) })),
    ];
    const { effects, nodes: ended } = await run({ ...own, effectLog }, nodes);
    expect(harbour.server.log[0]?.body).toContain("s3cr3t");
    for (const text of [effectLog.writes, effects, ended]) {
      expect(JSON.stringify(text)).not.toContain("s3cr3t");
    }
  });
});
