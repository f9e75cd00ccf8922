import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { makeBoats, startQuay, type TestBoat, type TestServer } from "@plasm/testkit/servers";
import type { Limits } from "../limits/limits.ts";
import { fixture, goOn, type Setting } from "../testing/fixture-run.ts";
import { runText } from "../testing/run-text.ts";
import type { Cursor, RunResult } from "./run-types.ts";

const COUNT = 45;
/** what the API has now: tests change it as effects do */
const boats: TestBoat[] = [];
let quay: TestServer;
let setting: Setting;

const reset = (): void => void boats.splice(0, boats.length, ...makeBoats(COUNT));

beforeAll(async () => {
  reset();
  quay = await startQuay(boats);
  setting = { catalogs: [fixture("quay")], backends: { quay: quay.url } };
});
afterEach(() => {
  reset();
  quay.log.splice(0);
});
afterAll(() => quay.close());

const change = (id: string, to: Partial<TestBoat>): void => {
  const at = boats.findIndex((boat) => boat.id === id);
  const [boat] = boats.slice(at, at + 1);
  if (boat !== undefined) boats[at] = { ...boat, ...to };
};
const remove = (...ids: readonly string[]): void => {
  const left = boats.filter(({ id }) => !ids.includes(id));
  boats.splice(0, boats.length, ...left);
};

const values = ({ rows }: RunResult) => rows.map((row) => row.values);
const column = (result: RunResult, name: string) => values(result).map((row) => row[name]);
const asked = () => quay.log.map(({ url }) => url);
const pagesAsked = () => quay.log.map(({ query }) => query.get("page"));

async function first(text: string, limits: Partial<Limits> = {}): Promise<RunResult> {
  const { results, status } = await runText({ ...setting, limits }, text);
  const [result] = results;
  if (status !== "succeeded" || result === undefined) throw new Error(`${text} gave no result`);
  quay.log.splice(0);
  return result;
}

interface More {
  readonly stale: boolean;
  readonly limit?: number;
  readonly limits?: Partial<Limits>;
}

async function more(
  { cursor }: RunResult,
  { stale, limit, limits = {} }: More,
): Promise<RunResult> {
  if (cursor === null) throw new Error("no cursor");
  const outcome = await goOn({ ...setting, limits }, cursor, limit, stale);
  if (outcome.status === "failed") throw new Error(outcome.error.message);
  return outcome.result;
}

describe("PLAN-083 a row cursor after an effect", () => {
  test("drops its leftover rows and reads their upstream page again, skipping those shown", async () => {
    const shown = await first("Boat.page_size(7)[id, name]");
    change("b9", { name: "renamed" });
    const next = await more(shown, { stale: true });
    expect(values(next)).toEqual([
      { id: "b8", name: "Boat 8" },
      { id: "b9", name: "renamed" },
      ...[10, 11, 12, 13, 14].map((n) => ({ id: `b${n}`, name: `Boat ${n}` })),
    ]);
    expect(pagesAsked()).toEqual(["1"]);
  });

  test("without an effect on its catalog it shows what it has, without a request", async () => {
    const shown = await first("Boat.page_size(7)[id, name]");
    change("b9", { name: "renamed" });
    expect(column(await more(shown, { stale: false }), "name")).toContain("Boat 9");
    expect(asked()).toEqual([]);
  });

  test("reads no page again of which nothing is left", async () => {
    const shown = await first("Boat[id]");
    expect(shown.rows).toHaveLength(20);
    const next = await more(shown, { stale: true });
    expect(column(next, "id")).toEqual(
      makeBoats(40)
        .slice(20)
        .map(({ id }) => id),
    );
    expect(pagesAsked()).toEqual(["2"]);
  });

  test("skips by identity: what was deleted takes no other row with it, what is new comes", async () => {
    const shown = await first("Boat.page_size(7)[id]");
    remove("b2", "b10");
    boats.unshift({ ...makeBoats(1)[0], id: "b0" } as TestBoat);
    const next = await more(shown, { stale: true, limit: 8 });
    expect(column(next, "id")).toEqual(["b0", "b8", "b9", "b11", "b12", "b13", "b14", "b15"]);
  });

  test("reads again from the page of the first row left, where several were read", async () => {
    const shown = await first(
      "some = Boat.page_size(25)[id]\nlongest = Boat.sort(length)\nsome, longest",
    );
    change("b31", { id: "b31x" });
    const next = await more(shown, { stale: true, limit: 10 });
    expect(column(next, "id")).toEqual(
      ["26", "27", "28", "29", "30", "31x", "32", "33", "34", "35"].map((n) => `b${n}`),
    );
    expect(pagesAsked()).toEqual(["2"]);
  });

  test("tells derived rows by the row they are made of", async () => {
    const shown = await first("Boat.page_size(5) => {of: _.name, long: _.length}");
    remove("b1", "b3");
    const next = await more(shown, { stale: true, limit: 3 });
    expect(column(next, "of")).toEqual(["Boat 6", "Boat 7", "Boat 8"]);
  });

  test("keeps its limit: shown rows that are gone make no room", async () => {
    const shown = await first("Boat.limit(12).page_size(7)[id]");
    remove("b1", "b2", "b3");
    const next = await more(shown, { stale: true, limit: 100 });
    expect(column(next, "id")).toEqual(["b8", "b9", "b10", "b11", "b12"]);
    expect(next.cursor).toBeNull();
  });

  test("makes a sort anew, and gives what was not shown", async () => {
    const shown = await first("Boat.sort(name).page_size(3)[id, name]");
    expect(column(shown, "id")).toEqual(["b1", "b10", "b11"]);
    change("b40", { name: "Boat 100" });
    const next = await more(shown, { stale: true, limit: 3 });
    expect(column(next, "id")).toEqual(["b40", "b12", "b13"]);
  });

  test("tells groups by their keys", async () => {
    const shown = await first("Boat.group_by(owner, n=count).page_size(1)");
    expect(values(shown)).toEqual([{ owner: "ann", n: 12 }]);
    for (const { id } of makeBoats(COUNT)) change(id, id === "b1" ? {} : { owner: "bob" });
    change("b2", { owner: "dora" });
    change("b3", { owner: "ann" });
    expect(values(await more(shown, { stale: true, limit: 5 }))).toEqual([
      { owner: "dora", n: 1 },
      { owner: "bob", n: 42 },
    ]);
  });

  test("reads the targets of a relation again at the page they are left over from", async () => {
    const shown = await first('Boat("b1").visits.page_size(21)');
    const next = await more(shown, { stale: true });
    expect(next.rows).toHaveLength(2);
    expect(asked().map((url) => url.split("?")[0])).toEqual(["/boats/b1/visits"]);
    expect(quay.log[0]?.query.get("offset")).toBe("20");
    expect(next.cursor).toBeNull();
  });
});

describe("PLAN-083 a whole cursor after an effect", () => {
  test("starts over, under a fresh budget", async () => {
    const limits = { pages: 1 };
    const counted = await first("Boat.aggregate(n=count, s=sum(length))", limits);
    expect(counted.cursor?.kind).toBe("whole");
    const second = await more(counted, { stale: false, limits });
    expect(column(second, "n")).toEqual([40]);
    remove("b1", "b2");
    quay.log.splice(0);
    const anew = await more(second, { stale: true, limits });
    expect(column(anew, "n")).toEqual([20]);
    expect(pagesAsked()).toEqual(["1"]);
    const last = await more(await more(anew, { stale: false, limits }), { stale: false, limits });
    expect(column(last, "n")).toEqual([43]);
    expect([last.partial, last.cursor]).toEqual([null, null]);
  });
});

/** Row cursors of every kind, over an API that does not change. */
const SHAPES = [
  "Boat[id]",
  "Boat{length>9}[id]",
  "Boat.limit(33)[id]",
  "Boat.limit(30).filter{length>9}[id, name]",
  "Boat{length>4}.limit(17)[id]",
  "Boat.sort(length, desc)[id]",
  "Boat.distinct(length)[id]",
  "Boat.group_by(owner, length, n=count)",
  "Boat.limit(31) => {of: _.name, long: _.length}",
  "Boat.sort(length).limit(25) => {of: _.name}",
  "Boat.limit(9).visits",
  "Boat.limit(9).twin[id]",
  'Boat{id in ["b1","b2","b3","b4","b5","b6","b7"]}[id]',
  "Boat.limit(6) => Boat(_.id)",
  'one = Boat("b2")\nit = Boat.limit(9) => Boat{owner=one.owner, length>_.length}',
] as const;

/** The shape as a binding of `it`. */
const bound = (text: string): string => (text.includes("it = ") ? text : `it = ${text}`);

describe("P8, PLAN-083: an effect between pages changes nothing that it did not change", () => {
  test.each(SHAPES)("%s", { timeout: 60_000 }, async (text) => {
    const expected = values(await first(`${bound(text)}\nit.page_size(1000)`));
    expect(expected.length).toBeGreaterThan(3);
    const step = fc.record({ limit: fc.integer({ min: 1, max: 12 }), stale: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 9 }),
        fc.array(step, { minLength: 1, maxLength: 4 }),
        async (size, steps) => {
          let result = await first(`${bound(text)}\nit.page_size(${size})`);
          const rows = values(result);
          for (let i = 0; result.cursor !== null; i += 1) {
            if (i > 100) throw new Error("the cursor never ends");
            const { limit, stale } = steps[i % steps.length] ?? { limit: 5, stale: true };
            result = await more(result, { stale, limit });
            rows.push(...values(result));
          }
          expect(rows).toEqual(expected);
        },
      ),
      { numRuns: 5 },
    );
  });
});

/** The part of a cursor that only its own package reads, as text. */
const sizeOf = (cursor: Cursor | null): number => JSON.stringify(cursor).length;

test("what a cursor keeps to read again is small beside its leftover rows", async () => {
  const shown = await first("Boat.sort(name).page_size(5)");
  const state = shown.cursor?.state ?? {};
  expect(JSON.stringify(state["anew"]).length).toBeLessThan(sizeOf(shown.cursor) / 4);
});
