import fc from "fast-check";
import type { JsonObject } from "@plasm/core";
import { afterEach, describe, expect, it } from "vitest";
import type { Engine } from "../../engine.ts";
import { type Caller, LOCAL } from "../../identity/caller.ts";
import { boatsApi } from "../../../test/boats-api.ts";
import { engineOn } from "../../../test/engine-on.ts";
import { testStore } from "../../../test/test-store.ts";
import { Failure } from "../../errors/problem.ts";
import { isBefore, readRunsCursor, runsCursor } from "./list-runs.ts";

const S0 = { kind: "ref", ref: "s0" } as const;
const open: Engine[] = [];
afterEach(async () => {
  for (const engine of open.splice(0)) await engine.close();
});

async function session() {
  const store = testStore();
  const engine = engineOn({ store, api: boatsApi() });
  open.push(engine);
  await engine.context(LOCAL, { intent: "runs", seeds: [{ api: "quay", entity: "Boat" }] });
  /** Runs one after another; `still` makes them begin in the same millisecond. */
  const run = async (times: number, still = false): Promise<void> => {
    for (let n = 0; n < times; n += 1) {
      if (!still) store.advance(1);
      await engine.run(LOCAL, S0, { program: "note = <<T\nhello\nT\nnote" });
    }
  };
  return { engine, run };
}

/** The numbers of the snapshots of a page's runs, and what the page says of the others. */
async function page(engine: Engine, before?: unknown) {
  const { runs, omitted, next } = await engine.runs(LOCAL, S0, { before });
  const all = runs as readonly (JsonObject & { snapshots: readonly { readonly n: number }[] })[];
  return { n: all.flatMap(({ snapshots }) => snapshots.map((one) => one.n)), omitted, next };
}

const from = (first: number, last: number): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, n) => first + n);

describe("GET …/runs page by page (SURF-16, OPS-11)", () => {
  it("the newest 100 first, each once, whatever runs meanwhile, also where they begin at once", async () => {
    const { engine, run } = await session();
    await run(20);
    await run(70, true);
    await run(20);
    const first = await page(engine);
    expect([first.n.length, first.omitted]).toEqual([100, 10]);
    expect(first.n.slice(-20)).toEqual(from(91, 110));
    await run(3);
    const second = await page(engine, first.next);
    expect(second).toEqual({ n: from(1, 10), omitted: 0, next: null });
    expect(new Set([...first.n, ...second.n]).size).toBe(110);
    expect(await page(engine, "0.a")).toEqual({ n: [], omitted: 0, next: null });
  });

  it("SESS-38 they are those of one principal, though others have the same session", async () => {
    const { engine, run } = await session();
    await run(1);
    const effect = { program: 'Boat("b1").ping()', force: true };
    await engine.run(LOCAL, S0, effect);
    const other: Caller = { ...LOCAL, subject: "another" };
    const runsOf = async (who: Caller): Promise<number> =>
      ((await engine.runs(who, S0))["runs"] as readonly unknown[]).length;
    const seeds = [{ api: "quay", entity: "Boat" }];
    expect((await engine.context(other, { intent: "runs", seeds })).meta["reused"]).toBe(true);
    expect([await runsOf(LOCAL), await runsOf(other)]).toEqual([2, 0]);
    await engine.run(other, S0, effect);
    expect([await runsOf(LOCAL), await runsOf(other)]).toEqual([2, 1]);
  });

  it("a cursor that is none is a bad request", async () => {
    const { engine } = await session();
    for (const before of ["", "s0_pg1", 3]) {
      const refused = engine.runs(LOCAL, S0, { before });
      await expect(refused).rejects.toMatchObject({ problem: { code: "plasm-bad-request" } });
    }
  });
});

const position = fc.record({ at: fc.nat(), name: fc.uuid() });

describe("the place of a run in its session (OPS-11)", () => {
  it("a cursor is read back as what it was made of", () => {
    fc.assert(
      fc.property(position, (place) => {
        expect(readRunsCursor(runsCursor(place))).toEqual(place);
      }),
    );
    expect(readRunsCursor(undefined)).toBeNull();
  });

  it("of two runs one is before the other, also where they began at once", () => {
    fc.assert(
      fc.property(position, position, (a, b) => {
        const same = a.at === b.at && a.name === b.name;
        expect(Number(isBefore(a, b)) + Number(isBefore(b, a))).toBe(same ? 0 : 1);
      }),
    );
    expect(isBefore({ at: 1, name: "b" }, { at: 1, name: "a" })).toBe(false);
    expect(isBefore({ at: 1, name: "b" }, { at: 2, name: "a" })).toBe(true);
  });

  it.each([
    ["", /before is the member next of the page before/],
    ["1", /unchanged/],
    ["x.a", /unchanged/],
    ["1.", /unchanged/],
    ["1.a/b", /unchanged/],
    [`1.${"a".repeat(101)}`, /unchanged/],
    [7, /before/],
    [null, /before/],
  ])("%j is none", (given, said) => {
    expect(() => readRunsCursor(given)).toThrow(Failure);
    expect(() => readRunsCursor(given)).toThrow(said);
  });
});
