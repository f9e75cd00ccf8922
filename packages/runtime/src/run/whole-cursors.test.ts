import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { makeBoats, startQuay, type TestServer } from "@plasm/testkit/servers";
import type { Limits } from "../limits/limits.ts";
import { fixture, goOn, type Setting } from "../testing/fixture-run.ts";
import { runText } from "../testing/run-text.ts";
import type { Cursor, RunResult } from "./run-types.ts";

const COUNT = 95;
let quay: TestServer;
let setting: Setting;

beforeAll(async () => {
  quay = await startQuay(makeBoats(COUNT));
  setting = { catalogs: [fixture("quay")], backends: { quay: quay.url } };
});
afterEach(() => void quay.log.splice(0));
afterAll(() => quay.close());

const values = (result: RunResult | undefined) => result?.rows.map((row) => row.values);
const kept = (cursor: Cursor | null): Cursor => {
  if (cursor === null) throw new Error("no cursor");
  return cursor;
};

/** Every answer of a program under a tight budget: the first, then those of its cursor. */
async function answers(text: string, limits: Partial<Limits>): Promise<readonly RunResult[]> {
  const own = { ...setting, limits };
  const first = await runText(own, text);
  expect(first.status).toBe("succeeded");
  let [result] = first.results;
  const all: RunResult[] = [];
  while (result !== undefined) {
    all.push(result);
    if (result.cursor === null || all.length > 20) break;
    const outcome = await goOn(own, result.cursor);
    if (outcome.status === "failed") throw new Error(outcome.error.message);
    expect(outcome.skipped).toBe(0);
    result = outcome.result;
  }
  return all;
}

describe("PLAN-080: a whole cursor reads on and answers the whole new result", () => {
  test("C-094 a count over pages, each under a fresh budget", async () => {
    const all = await answers("Boat.aggregate(n=count)", { pages: 1 });
    expect(all.map((result) => [values(result), result.partial])).toEqual([
      [[{ n: 20 }], "pages"],
      [[{ n: 40 }], "pages"],
      [[{ n: 60 }], "pages"],
      [[{ n: 80 }], "pages"],
      [[{ n: 95 }], null],
    ]);
    expect(all.map(({ cursor }) => cursor?.kind)).toEqual([
      "whole",
      "whole",
      "whole",
      "whole",
      undefined,
    ]);
    // No page is read twice.
    expect(quay.log.map(({ query }) => query.get("page"))).toEqual(["1", "2", "3", "4", "5"]);
  });

  test.each([
    "Boat.aggregate(s=sum(length), a=avg(length), x=max(name))",
    "Boat.group_by(owner, state, n=count)",
    "Boat.distinct(length)",
    "Boat.sort(length, desc)",
    "Boat{length>5}.group_by(owner, n=count).sort(n, desc)",
    "Boat.distinct(length).sort(length, desc).limit(4)[id, length]",
    "Boat.sort(name).distinct(state).aggregate(n=count)",
    "Boat[owner, length].group_by(owner, s=sum(length))",
    "Boat.group_by(owner, n=count).filter{n>20}",
    "Boat.group_by(owner, last=max(built)).filter{last>2023-01-01}.sort(last)",
  ])("%s: the last answer is that of a run without a budget", async (text) => {
    const whole = (await runText(setting, text)).results[0];
    const all = await answers(text, { pages: 1 });
    expect(all).toHaveLength(5);
    expect(all.slice(0, -1).every(({ partial }) => partial === "pages")).toBe(true);
    expect(all.at(-1)).toEqual(whole);
  });

  test("with a page size it shows the first rows, then leaves a row cursor", async () => {
    const text = "Boat.distinct(length).page_size(10)";
    const whole = (await runText(setting, "Boat.distinct(length)")).results[0];
    const all = await answers(text, { pages: 2 }).catch((error: unknown) => error);
    expect(all).toBeInstanceOf(Error);
    const first = (await runText({ ...setting, limits: { pages: 2 } }, text)).results[0];
    expect([first?.rows.length, first?.partial, first?.cursor?.kind]).toEqual([
      10,
      "pages",
      "whole",
    ]);
    const next = await goOn(setting, kept(first?.cursor ?? null));
    if (next.status === "failed") throw new Error(next.error.message);
    expect([next.result.rows.length, next.result.partial]).toEqual([10, null]);
    expect(next.result.cursor?.kind).toBe("row");
    const rest = await goOn(setting, kept(next.result.cursor), 100);
    if (rest.status === "failed") throw new Error(rest.error.message);
    expect([...next.result.rows, ...rest.result.rows]).toEqual(whole?.rows);
  });

  test("after ten budgets it ends", async () => {
    const many = await startQuay(makeBoats(20 * 12));
    const own = { ...setting, backends: { quay: many.url }, limits: { pages: 1 } };
    let [result] = (await runText(own, "Boat.aggregate(n=count)")).results;
    const counts = [values(result)?.[0]?.["n"]];
    while (result !== undefined && result.cursor !== null) {
      const outcome = await goOn(own, result.cursor);
      if (outcome.status === "failed") throw new Error(outcome.error.message);
      ({ result } = outcome);
      counts.push(values(result)?.[0]?.["n"]);
    }
    expect(counts).toEqual(Array.from({ length: 11 }, (_none, i) => 20 * (i + 1)));
    expect(result?.partial).toBe("pages");
    await many.close();
  });

  test("hydration that a budget cut goes on where it stopped", async () => {
    const text = "Boat.limit(6).group_by(note, n=count)";
    const all = await answers(text, { requests: 3 });
    expect(all.map(({ rows, partial }) => [rows.length, partial])).toEqual([
      [2 + 1, "requests"],
      [2 + 3 + 1, "requests"],
      [6, null],
    ]);
    expect(new Set(quay.log.map(({ path }) => path)).size).toBe(quay.log.length);
  });

  test("a limit of rows is not for it", async () => {
    const [first] = (await runText({ ...setting, limits: { pages: 1 } }, "Boat.sort(length)"))
      .results;
    const next = await goOn(setting, kept(first?.cursor ?? null), 3);
    expect(next.status === "succeeded" && next.result.rows).toHaveLength(COUNT);
  });

  test("a failed continuation leaves the cursor where it was (SESS-31)", async () => {
    let fails = true;
    const faulty = await startQuay(makeBoats(45), ({ query }) =>
      query.get("page") === "2" && fails ? { status: 500, json: { message: "not now" } } : null,
    );
    const own = { ...setting, backends: { quay: faulty.url } };
    const tight = { ...own, limits: { pages: 1 } };
    const [first] = (await runText(tight, "Boat.aggregate(n=count)")).results;
    const cursor = kept(first?.cursor ?? null);
    const failed = await goOn(own, cursor);
    expect(failed.status === "failed" && failed.error.code).toBe("upstream_error");
    fails = false;
    const next = await goOn(own, cursor);
    expect(next.status === "succeeded" && values(next.result)).toEqual([{ n: 45 }]);
    await faulty.close();
  });
});

describe("LANG-067, LANG-068: what is cut marks what is made of it", () => {
  test("rows: the rest of a page is counted when read on", async () => {
    const all = await answers("Boat.aggregate(n=count)", { rows: 30 });
    expect(all.map((result) => values(result)?.[0]?.["n"])).toEqual([30, 60, 90, 95]);
  });

  test("a singleton of a cut read is marked, and read on finds the second row", async () => {
    const own = { ...setting, limits: { rows: 1 } };
    const [first] = (await runText(own, "Boat.singleton()")).results;
    expect([first?.rows.length, first?.partial]).toEqual([1, "rows"]);
    const next = await goOn(setting, kept(first?.cursor ?? null));
    expect(next.status === "failed" && next.error.code).toBe("singleton_count");
    const alone = { ...setting, limits: { pages: 2 } };
    const [one] = (await runText(alone, 'Boat{name="Boat 7"}.singleton()')).results;
    expect([one?.rows.length, one?.partial]).toEqual([1, "pages"]);
    const last = await goOn(setting, kept(one?.cursor ?? null));
    if (last.status === "failed") throw new Error(last.error.message);
    expect([last.result.rows.map(({ ref }) => ref), last.result.partial]).toEqual([
      ["Boat:b7"],
      null,
    ]);
    expect(last.result.cursor).toBeNull();
  });

  test("no effect runs on it (LANG-076)", async () => {
    const own = { ...setting, limits: { pages: 1 } };
    const text = "d = Boat.distinct(owner)\nd => Boat(_.id).ping()";
    const { status, nodes, effects } = await runText(own, text);
    expect(status).toBe("failed");
    expect(nodes.find(({ error }) => error !== null)?.error?.code).toBe("partial_source");
    expect(effects.every((entry) => entry.status === "skipped")).toBe(true);
    expect(quay.log.every(({ method }) => method === "GET")).toBe(true);
  });
});
