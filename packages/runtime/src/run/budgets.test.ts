import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { makeBoats, startQuay, type TestServer } from "@plasm/testkit/servers";
import { fixture, goOn, quickClock, run, type Setting } from "../testing/fixture-run.ts";
import { boat, boats, compute, relation } from "../testing/nodes.ts";
import { runText } from "../testing/run-text.ts";
import type { Cursor, RunResult } from "./run-types.ts";

const all = makeBoats(45);
const FOREVER = 60_000;
let quay: TestServer;
let setting: Setting;

beforeAll(async () => {
  quay = await startQuay(all);
  setting = { catalogs: [fixture("quay")], backends: { quay: quay.url } };
});
afterEach(() => void quay.log.splice(0));
afterAll(() => quay.close());

const sorted = [boats(), compute("n2", "n1", { sort: [{ path: ["length"], desc: true }] })];
const ids = (result: RunResult | undefined) => result?.rows.map(({ values }) => values["id"]);
const cursorOf = (result: RunResult | undefined): Cursor => {
  if (result === undefined || result.cursor === null) throw new Error("no cursor");
  return result.cursor;
};

describe("PLAN-051: a budget stops cleanly", () => {
  test("C-094 pages: what was read is sorted, partial and has a whole cursor", async () => {
    const { results, status, stopped } = await run({ ...setting, limits: { pages: 1 } }, sorted);
    expect([status, stopped]).toEqual(["succeeded", "pages"]);
    expect(results[0]?.partial).toBe("pages");
    expect(results[0]?.rows).toHaveLength(20);
    expect(quay.log).toHaveLength(1);
    const cursor = cursorOf(results[0]);
    expect(cursor.kind).toBe("whole");
    const rest = await goOn(setting, cursor);
    expect(quay.log).toHaveLength(3);
    if (rest.status === "failed") throw new Error(rest.error.message);
    const whole = await run(setting, sorted);
    expect(ids(rest.result)).toEqual(ids(whole.results[0]));
    expect([rest.result.partial, rest.result.cursor, rest.skipped]).toEqual([null, null, 0]);
  });

  test("PLAN-080 a whole cursor ends after ten budgets", async () => {
    const many = await startQuay(makeBoats(20 * 14));
    const own = { ...setting, backends: { quay: many.url }, limits: { pages: 1 } };
    let result = (await run(own, sorted)).results[0];
    let rounds = 0;
    for (; result !== undefined && result.cursor !== null; rounds++) {
      const outcome = await goOn(own, result.cursor);
      if (outcome.status === "failed") throw new Error(outcome.error.message);
      result = outcome.result;
    }
    expect(rounds).toBe(10);
    expect(result?.partial).toBe("pages");
    await many.close();
  });

  test("rows: the surplus of a page waits behind the cursor", async () => {
    const own = { ...setting, limits: { rows: 30 } };
    const nodes = [boats({ limit: 40 })];
    const { results, budget } = await run(own, nodes);
    expect([results[0]?.rows.length, results[0]?.partial, budget.rows]).toEqual([30, "rows", 30]);
    const rest = await goOn(setting, cursorOf(results[0]), 100);
    expect(rest.status === "succeeded" && ids(rest.result)).toEqual(
      all.slice(30, 40).map(({ id }) => id),
    );
  });

  test("requests: a node that never began is skipped, the other is whole", async () => {
    const own = { ...setting, limits: { requests: 1 } };
    const returns = ["n1", "n2"].map((node) => ({ label: node, node, page_size: null }));
    const { nodes, status } = await run(own, [boat("b1"), boat("b2", { id: "n2" })], returns);
    expect(status).toBe("succeeded");
    expect(nodes.map(({ status: s }) => s).toSorted()).toEqual(["done", "skipped"]);
    expect(nodes.find(({ status: s }) => s === "skipped")).toMatchObject({
      reason: "requests",
      partial: "requests",
    });
  });

  test("requests in hydration: rows in hand are shown, partial", async () => {
    const own = { ...setting, limits: { requests: 2 } };
    const { results } = await run(own, [
      boats({ limit: 3 }),
      compute("n2", "n1", { project: [["id"], ["note"]] }),
    ]);
    expect(ids(results[0])).toEqual(["b1", "b2", "b3"]);
    expect(results[0]?.partial).toBe("requests");
    expect(results[0]?.rows.filter(({ values }) => "note" in values)).toHaveLength(1);
  });

  test("fan_out: one cursor continues at that source row (RUN-054)", async () => {
    const visits = relation("visits", "query_scoped", "Visit", {
      source: "n1",
      capability: "visit_query",
    });
    const nodes = [boats({ limit: 8 }), visits];
    const { results } = await run({ ...setting, limits: { fan_out: 3 } }, nodes);
    expect(results[0]?.partial).toBe("fan_out");
    const rest = await goOn(setting, cursorOf(results[0]), 1000);
    const whole = await run(setting, nodes);
    if (rest.status === "failed") throw new Error(rest.error.message);
    const joined = [...(results[0]?.rows ?? []), ...rest.result.rows];
    expect(joined).toEqual(whole.results[0]?.rows);
  });

  test("pages in a fan-out: the cursor continues at that page", async () => {
    const visits = relation("visits", "query_scoped", "Visit", {
      source: "n1",
      capability: "visit_query",
    });
    const nodes = [boats({ limit: 4 }), visits];
    const { results } = await run({ ...setting, limits: { pages: 1 } }, nodes);
    expect(results[0]?.partial).toBe("pages");
    expect(results[0]?.rows).toHaveLength(20);
    const rest = await goOn(setting, cursorOf(results[0]), 1000);
    const whole = await run(setting, nodes);
    if (rest.status === "failed") throw new Error(rest.error.message);
    expect([...(results[0]?.rows ?? []), ...rest.result.rows]).toEqual(whole.results[0]?.rows);
  });

  test("bytes", async () => {
    const { results } = await run({ ...setting, limits: { bytes: 2500 } }, sorted);
    expect(results[0]?.partial).toBe("bytes");
    expect(results[0]?.rows.length).toBeGreaterThan(0);
    expect(results[0]?.rows.length).toBeLessThan(45);
  });

  test("wall: no request starts once it is over", async () => {
    const clock = quickClock();
    let reads = 0;
    const slow = { ...clock, now: () => clock.now() + (reads > 0 ? 60_000 : 0) };
    const counting = await startQuay(all, () => (reads++, null));
    const own = { ...setting, backends: { quay: counting.url }, clock: slow };
    const { results, stopped } = await run(own, sorted);
    expect([results[0]?.partial, stopped, counting.log.length]).toEqual(["wall", "wall", 1]);
    await counting.close();
  });
});

describe("PLAN-065, OPS-16: cancelling", () => {
  test("no new request starts, a read in flight is aborted, rows so far are kept", async () => {
    const abort = new AbortController();
    const hanging = await startQuay(all, ({ query }) => {
      if (query.get("page") !== "2") return null;
      setTimeout(() => abort.abort(), 20);
      return { json: {}, delay: FOREVER };
    });
    const own = { ...setting, backends: { quay: hanging.url }, signal: abort.signal };
    const started = Date.now();
    const { results, status, stopped } = await run(own, sorted);
    expect(Date.now() - started).toBeLessThan(FOREVER);
    expect([status, stopped]).toEqual(["failed", "cancelled"]);
    expect(results[0]).toMatchObject({ partial: "cancelled" });
    expect(results[0]?.rows).toHaveLength(20);
    await hanging.close();
  });
});

describe("17 LANG-067: what a cut aggregate gives a read makes that read partial", () => {
  const whole = "longest = Boat.aggregate(m=max(length))\n";

  test.each<[string, string, NonNullable<Setting["limits"]>]>([
    ["a condition, by pages", `${whole}Boat{length>=longest.m}.limit(1)`, { pages: 1 }],
    ["a condition, by rows", `${whole}Boat{length>=longest.m}.limit(1)`, { rows: 30 }],
    [
      "a later step over it",
      `${whole}Boat{length<longest.m}.limit(3).aggregate(count)`,
      { pages: 1 },
    ],
    ["a row of its own", `${whole}Boat.limit(2) => {id: _.id, most: longest.m}`, { pages: 1 }],
  ])("%s", async (_what, text, limits) => {
    const { results, nodes } = await runText({ ...setting, limits }, text);
    const said = JSON.stringify(
      nodes.map(({ id, status, partial, reason }) => [id, status, partial, reason]),
    );
    expect(results.at(-1)?.partial ?? nodes.at(-1)?.reason, said).toBe(Object.keys(limits)[0]);
  });

  test("a cell of the first row of a cut list lacks nothing", async () => {
    const text = "first = Boat.limit(1)\nBoat{length>=first.length}.limit(1)";
    const { results } = await runText({ ...setting, limits: { pages: 1 } }, text);
    expect(results.at(-1)?.partial).toBeNull();
  });
});
