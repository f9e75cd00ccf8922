import type { Plan } from "@plasm/core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  makeBoats,
  startQuay,
  startServer,
  type TestBoat,
  type TestServer,
} from "@plasm/testkit/servers";
import { fixture, type Setting } from "../testing/fixture-run.ts";
import { runText } from "../testing/run-text.ts";

type Figure = Plan["summary"]["bill"]["requests"];

const all = makeBoats(45);
let quay: TestServer;
let setting: Setting;

beforeAll(async () => {
  quay = await startQuay(all);
  setting = { catalogs: [fixture("quay")], backends: { quay: quay.url } };
});
afterEach(() => void quay.log.splice(0));
afterAll(() => quay.close());

/** Columns and rows of the first result, and how many requests they cost. */
async function answer(text: string) {
  const { results, status, nodes } = await runText(setting, text);
  const [result] = results;
  return {
    status,
    columns: result?.columns.map(([name, type]) => `${name} ${type}`),
    rows: result?.rows.map(({ values }) => values),
    refs: result?.rows.map(({ ref }) => ref),
    error: nodes.find(({ error }) => error !== null)?.error ?? null,
    requests: quay.log.length,
  };
}

const PAGES = 3;
const lengths = all.map(({ length }) => Number(length));
const total = lengths.reduce((sum, length) => sum + length, 0);
const countOf = (test_: (boat: TestBoat) => boolean): number => all.filter(test_).length;

describe("aggregate and group_by, over all pages", () => {
  test.each<[string, string, readonly string[], object]>([
    ["C-011 count", "Boat.aggregate(n=count)", ["n int"], { n: 45 }],
    ["C-012 unnamed", "Boat.aggregate(count)", ["count int"], { count: 45 }],
    ["C-013 sum", "Boat.aggregate(t=sum(length))", ["t num"], { t: total }],
    ["C-118 counts", "Boat.aggregate(n=count())", ["n int"], { n: 45 }],
    [
      "LANG-066 unnamed ones are named by function and path",
      "Boat.aggregate(sum(length), min(built), count(state))",
      ["sum_length num", "min_built date", "count_state int"],
      { sum_length: total, min_built: "2010-03-01", count_state: countOf((b) => b.state !== null) },
    ],
    ["steps after it see one row", "Boat.aggregate(n=count).limit(5)[n]", ["n int"], { n: 45 }],
  ])("%s: %s", async (_name, text, columns, row) => {
    expect(await answer(text)).toMatchObject({
      status: "succeeded",
      columns,
      rows: [row],
      refs: [null],
      requests: PAGES,
    });
  });

  test("C-014 columns owner, n; in order of first appearance; Σn = count", async () => {
    const { columns, rows, requests } = await answer("Boat.group_by(owner, n=count)");
    expect([columns, requests]).toEqual([["owner Person(str)", "n int"], PAGES]);
    const owners = [...new Set(all.map(({ owner }) => owner))];
    expect(rows).toEqual(
      owners.map((owner) => ({ owner, n: countOf((boat) => boat.owner === owner) })),
    );
    expect(rows?.reduce((sum, { n }) => sum + Number(n), 0)).toBe(45);
  });

  test("C-088 null is one group", async () => {
    const { rows } = await answer("Boat.group_by(state, n=count)");
    expect(rows).toContainEqual({ state: null, n: countOf(({ state }) => state === null) });
    expect(rows).toHaveLength(4);
  });

  test("C-089 of no rows", async () => {
    const text =
      "Boat{id=none}.aggregate(n=count, m=count(built), s=sum(length), a=avg(length), x=max(name))";
    expect(await answer(text)).toMatchObject({
      rows: [{ n: 0, m: 0, s: 0, a: null, x: null }],
      requests: 1,
    });
    expect((await answer("Boat{id=none}.group_by(state, n=count)")).rows).toEqual([]);
  });

  test("later steps know the types of the columns", async () => {
    const grouped = "Boat.group_by(owner, s=sum(length), last=max(built))";
    const sums = await answer(`${grouped}.sort(s desc)[owner, s]`);
    const known = sums.rows?.map(({ s }) => Number(s)) ?? [];
    expect(known).toEqual(known.toSorted((a, b) => b - a));
    const late = await answer(`${grouped}.filter{last>2023-01-01}`);
    const lasts = late.rows?.map(({ last }) => last) ?? [];
    expect(new Set(lasts)).toEqual(new Set(["2023-03-01"]));
    const none = await answer(`${grouped}.filter{last>2024-06-01}`);
    expect(none.rows).toEqual([]);
  });

  test("RUN-057 a column that the list lacks is hydrated, whole rows are not", async () => {
    expect(await answer("Boat.limit(3).group_by(note, n=count)")).toMatchObject({
      rows: [1, 2, 3].map((n) => ({ note: `note of b${n}`, n: 1 })),
      requests: 1 + 3,
    });
    quay.log.splice(0);
    expect((await answer("Boat.limit(3).aggregate(n=count)")).requests).toBe(1);
  });

  test("LANG-064 a group by a referenced row's column", async () => {
    const { columns, rows } = await answer("Boat.group_by(owner.name, n=count)");
    expect(columns).toEqual(["owner.name str", "n int"]);
    expect(rows?.[0]).toEqual({
      "owner.name": "Name of ann",
      n: countOf(({ owner }) => owner === "ann"),
    });
  });
});

describe("LANG-041, LANG-066: no number loses a digit", () => {
  const boat = (id: string, length: unknown) =>
    `{"id":"${id}","name":"x","length":${String(length)}}`;

  async function over(numbers: readonly unknown[], text: string) {
    const items = numbers.map((length, i) => boat(`b${i}`, length)).join(",");
    const server = await startServer(() => ({ text: `{"items":[${items}]}` }));
    const own = { ...setting, backends: { quay: server.url } };
    const { results, diagnostics } = await runText(own, text);
    await server.close();
    return { row: results[0]?.rows[0]?.values, diagnostics, partial: results[0]?.partial };
  }

  test.each<[readonly unknown[], object]>([
    [["0.1", "0.2"], { s: 0.3, a: 0.15 }],
    [["9007199254740993", "2"], { s: "9007199254740995", a: "4503599627370497.5" }],
    [
      ["12345678901234567890.5", '"0.5"'],
      { s: "12345678901234567891", a: "6172839450617283945.5" },
    ],
    [["1e309", "-1e309", "7"], { s: 7, a: 2.33333333333333 }],
  ])("%j", async (numbers, row) => {
    expect((await over(numbers, "Boat.aggregate(s=sum(length), a=avg(length))")).row).toEqual(row);
  });

  test("a cell that does not fit is null, with a diagnostic", async () => {
    const { row, diagnostics, partial } = await over(
      ["1", '"heavy"', "2", "null"],
      "Boat.aggregate(n=count, c=count(length), s=sum(length))",
    );
    expect(row).toEqual({ n: 4, c: 2, s: 3 });
    const unfit = diagnostics.filter(({ code }) => code === "cell_unfit");
    expect(unfit).toEqual([
      {
        code: "cell_unfit",
        node: "n2",
        row: 1,
        count: 2,
        detail: "length: text is not a number, so it is null",
      },
    ]);
    expect(partial).toBe("cell_unfit");
  });
});

describe("LANG-061: distinct", () => {
  test("the first of each combination, whole and with identity", async () => {
    const { refs, requests } = await answer("Boat.distinct(owner)");
    expect(refs).toEqual(["Boat:b1", "Boat:b2", "Boat:b3", "Boat:b4"]);
    expect(requests).toBe(PAGES);
  });

  test("without columns: of all columns", async () => {
    expect((await answer("Boat[owner, state].distinct()")).rows).toHaveLength(4);
    expect((await answer("Boat.distinct()")).refs).toHaveLength(45);
    expect((await answer("Boat.group_by(owner)[owner].distinct()")).rows).toHaveLength(4);
  });

  test("C-091 a step after it, and after a sort", async () => {
    const distinct = await runText(setting, "Boat.distinct(owner).visits");
    expect(distinct.results[0]?.rows).toHaveLength(23 + 2 + 0 + 1);
    const longest = all
      .filter(({ owner }) => owner === "ann")
      .toSorted((a, b) => Number(b.length) - Number(a.length))[0];
    quay.log.splice(0);
    await runText(setting, "Boat{owner=ann}.sort(length, desc).limit(1).visits");
    expect(quay.log.at(-1)?.path).toBe(`/boats/${longest?.id}/visits`);
  });
});

describe("LANG-068: singleton", () => {
  test.each<[string, string, string, number]>([
    ["C-016 it judges the limited rows", "Boat.limit(5).singleton()", "5 came", 1],
    ["reading stopped early", "Boat.singleton()", "at least 20 came", 1],
    [
      "reading stops at the second row that matches",
      "Boat{length>20}.singleton()",
      "at least 2",
      1,
    ],
    ["no row", "Boat{length>100}.singleton()", "0 came", PAGES],
    ["a get that finds none", "Boat{id=none}.singleton()", "0 came", 1],
  ])("%s: %s", async (_name, text, says, requests) => {
    const { status, error, ...rest } = await answer(text);
    expect([status, error?.code, rest.requests]).toEqual(["failed", "singleton_count", requests]);
    expect(error?.message).toContain(says);
    expect(error?.correction).toContain(".limit(1)");
  });

  test("exactly one row, as it is; .limit(1) never fails", async () => {
    const one = await answer('Boat{name="Boat 7"}.singleton()');
    expect([one.status, one.refs]).toEqual(["succeeded", ["Boat:b7"]]);
    expect((await answer("Boat.limit(1).singleton()")).refs).toEqual(["Boat:b1"]);
    expect(await answer("Boat{length>100}.limit(1)")).toMatchObject({
      status: "succeeded",
      rows: [],
    });
  });

  test("what is made of a failed singleton is skipped, all else is answered", async () => {
    const { nodes, results } = await runText(
      setting,
      's = Boat.singleton()\nBoat{owner=s.owner}, Person("ann")',
    );
    expect(nodes.map(({ status }) => status).toSorted()).toEqual([
      "done",
      "done",
      "failed",
      "skipped",
    ]);
    expect(results.map(({ label }) => label)).toEqual(["Person"]);
  });
});

function bounds(figure: Figure): readonly [least: number, most: number] {
  if ("unknown" in figure) throw new Error(`no bound: ${figure.unknown}`);
  return "exact" in figure ? [figure.exact, figure.exact] : [0, figure.max];
}

describe("PLAN-020: the bill of such plans is what is sent", () => {
  test.each([
    "Boat.limit(5).aggregate(n=count)",
    "Boat.limit(3).group_by(note)",
    "Boat.limit(5).owner.aggregate(n=count)",
    'Boat("b1").logs.aggregate(n=count)',
    'Boat("b1").owner.aggregate(n=count)',
    "Boat{id=b1}.aggregate(n=count)",
    "Boat.limit(5).singleton()",
    "Boat.limit(1).singleton()",
    "Boat.singleton()",
    "Boat.limit(40).distinct(owner)",
    "Boat.limit(3).group_by(owner.name, n=count)",
    "Boat.limit(2).distinct(owner)[id, note]",
  ])("%s", async (text) => {
    const { plan } = await runText(setting, text);
    const [least, most] = bounds(plan.summary.bill.requests);
    expect(quay.log.length).toBeGreaterThanOrEqual(least);
    expect(quay.log.length).toBeLessThanOrEqual(most);
    expect(plan.summary.verdict).toBe("ok");
  });

  test.each([
    ["Boat.aggregate(n=count)", "paged, aggregate reads all"],
    ["Boat.group_by(state)", "paged, group_by reads all"],
    ["Boat.distinct(state)", "paged, distinct reads all"],
  ])("OPS-6 %s is unbounded", async (text, detail) => {
    const { plan } = await runText(setting, text);
    const expensive = plan.summary.reasons.filter(({ severity }) => severity === "expensive");
    expect(expensive.map((reason) => [reason.code, reason.detail])).toEqual([
      ["unbounded_read", detail],
    ]);
    expect(plan.summary.verdict).toBe("review");
  });
});
