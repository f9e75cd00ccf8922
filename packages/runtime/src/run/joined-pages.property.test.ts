import type { Json } from "@plasm/core";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  makeBoats,
  startQuay,
  startServer,
  type TestBoat,
  type TestServer,
} from "@plasm/testkit/servers";
import { fixture, goOn, run, type Setting } from "../testing/fixture-run.ts";
import { planProgram } from "../testing/run-program.ts";
import type { RunResult } from "./run-types.ts";

const quay = fixture("quay");

const BOATS = makeBoats(33);

let server: TestServer;
let setting: Setting;

beforeAll(async () => {
  server = await startQuay(BOATS);
  setting = { catalogs: [quay], backends: { quay: server.url } };
});
afterAll(() => server.close());

const values = (result: RunResult | undefined): readonly Json[] =>
  result?.rows.map((row) => row.values) ?? [];

/** All rows of a program, by pages of these sizes, each under a budget of its own. */
async function allPages(
  text: string,
  pageSize: number | null,
  sizes: readonly (number | null)[],
  limits: NonNullable<Setting["limits"]>,
): Promise<readonly Json[]> {
  const own = { ...setting, limits };
  const { nodes, returns } = planProgram(text, [quay]);
  const shown = returns.map((back) => ({ ...back, page_size: pageSize }));
  const first = (await run(own, nodes, shown)).results[0];
  const rows = [...values(first)];
  let cursor = first?.cursor ?? null;
  for (let i = 0; cursor !== null; i++) {
    if (i > 200) throw new Error("the cursor never ends");
    const rest = await goOn(own, cursor, sizes[i % sizes.length] ?? undefined);
    if (rest.status === "failed") throw new Error(rest.error.message);
    expect(rest.skipped).toBe(rows.length);
    rows.push(...values(rest.result));
    cursor = rest.result.cursor;
  }
  return rows;
}

const has = (test: (boat: TestBoat) => boolean): number => BOATS.filter(test).length;
const longer = (than: number) => (boat: TestBoat) => Number(boat.length) > than;

const PROGRAMS: readonly (readonly [text: string, count: number])[] = [
  ["Boat[id, owner.name]", 33],
  ["Boat{owner.boats=3}[id, length]", has(({ owner }) => owner !== null)],
  [
    'Boat{length>12}.filter{owner.name!="Name of ann"}[id, papers.office.city]',
    has((boat) => longer(12)(boat) && boat.owner !== "ann"),
  ],
  ["a = Boat\na => {i: _.id, o: _.owner.name, n: _.note}", 33],
  [
    'h = Boat("b2")\na = Boat{length>5}\na => {i: _.id, own: h.owner.name, p: Person(_.owner)}',
    has(longer(5)),
  ],
  [
    "a = Boat\nc = a => {i: _.id, l: _.length, o: _.owner}\nc{l>15, o.boats=3}[i, o.name]",
    has((boat) => longer(15)(boat) && boat.owner !== null),
  ],
  ["a = Boat\nc = a => {i: _.id, b: _.built}\nc{b>2015-01-01}.limit(9)", 9],
];

const sizes = fc.array(fc.option(fc.integer({ min: 1, max: 30 }), { nil: null }), {
  minLength: 1,
  maxLength: 4,
});
const limits = fc.record(
  {
    requests: fc.integer({ min: 8, max: 30 }),
    fan_out: fc.integer({ min: 1, max: 4 }),
    pages: fc.integer({ min: 1, max: 2 }),
  },
  { requiredKeys: [] },
);

describe("P8, PLAN-080: pages of joined and derived rows, joined, are the whole, each row once", () => {
  test.each(PROGRAMS)("%s", async (text, count) => {
    const whole = await allPages(text, 1000, [1000], {});
    expect(whole).toHaveLength(count);
    await fc.assert(
      fc.asyncProperty(
        fc.option(fc.integer({ min: 1, max: 30 }), { nil: null }),
        sizes,
        limits,
        async (pageSize, given, budget) => {
          const { requests, fan_out: fanOut, pages } = budget;
          const own = {
            ...(requests === undefined ? {} : { requests }),
            ...(fanOut === undefined ? {} : { fan_out: fanOut }),
            ...(pages === undefined ? {} : { pages }),
          };
          expect(await allPages(text, pageSize, given, own)).toEqual(whole);
        },
      ),
      { numRuns: 15 },
    );
  });
});

describe("RUN-002: the order of answers changes nothing", () => {
  test.each(PROGRAMS)("%s", async (text) => {
    const whole = await allPages(text, 1000, [1000], {});
    let seed = 7;
    const late = await startServer(async ({ url }) => {
      seed = (seed * 31 + url.length) % 17;
      const answer = await fetch(`${server.url}${url}`);
      const reply = { status: answer.status, json: (await answer.json()) as unknown };
      return { ...reply, delay: seed };
    });
    const own = { ...setting, backends: { quay: late.url } };
    const { nodes, returns } = planProgram(text, [quay]);
    const shown = returns.map((back) => ({ ...back, page_size: 1000 }));
    const { results } = await run(own, nodes, shown);
    expect(values(results[0])).toEqual(whole);
    await late.close();
  });
});
