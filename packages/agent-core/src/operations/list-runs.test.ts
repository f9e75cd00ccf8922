import type { JsonObject } from "@plasm/core";
import { afterEach, describe, expect, it } from "vitest";
import type { Engine } from "../engine.ts";
import { LOCAL, type Caller } from "../identity/caller.ts";
import { boatsApi } from "../testing/boats-api.ts";
import { engineOn } from "../testing/engine-on.ts";
import { memoryStore } from "../testing/memory-store.ts";

const S0 = { kind: "ref", ref: "s0" } as const;
const open: Engine[] = [];
afterEach(async () => {
  for (const engine of open.splice(0)) await engine.close();
});

async function session() {
  const store = memoryStore();
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
