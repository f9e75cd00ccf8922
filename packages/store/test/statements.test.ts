import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StatementSync } from "node:sqlite";
import { type Caller, type Engine, LOCAL, type Store } from "@plasm/agent-core";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { boatsApi } from "../../agent-core/test/boats-api.ts";
import { engineOn } from "../../agent-core/test/engine-on.ts";
import { openSqliteStore } from "../src/sqlite/open.ts";

const CALLER: Caller = { ...LOCAL, connection: "c".repeat(32) };
const S0 = { kind: "ref", ref: "s0" } as const;
/** What follows an answer: what happened is traced, and looked up for that. */
const TRACED_MS = 600;

let dataDir: string;
let store: Store;
let engine: Engine;
let asked: string[];

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "plasm-statements-"));
  store = await openSqliteStore({ dataDir });
  engine = engineOn({ store, api: boatsApi() });
  await engine.context(CALLER, {
    intent: "boats",
    seeds: [{ api: "quay", entity: "Boat" }],
    notation: "names",
  });
  asked = [];
  for (const name of ["all", "run", "get"] as const) {
    const { [name]: does } = StatementSync.prototype as unknown as Record<
      string,
      (...given: unknown[]) => unknown
    >;
    vi.spyOn(StatementSync.prototype, name).mockImplementation(function (
      this: StatementSync,
      ...given: unknown[]
    ) {
      asked.push(this.sourceSQL);
      return does?.apply(this, given) as never;
    });
  }
});
afterEach(async () => {
  vi.restoreAllMocks();
  await engine.close();
  rmSync(dataDir, { recursive: true });
});

/** The statements of a call until its answer, but for looks at whether another process has written. */
async function statementsOf(call: () => Promise<unknown>) {
  asked = [];
  await call();
  const all = asked.filter((text) => !text.startsWith("pragma"));
  // What is noted of it is no part of the next call.
  await new Promise((resolve) => setTimeout(resolve, TRACED_MS));
  const begun = all.findIndex((text) => text.startsWith("begin"));
  const reads = all.filter((text, at) => text.startsWith("select") && (begun === -1 || at < begun));
  return { reads: reads.length, transactions: all.filter((text) => text === "commit").length };
}

const run = (program: string) => () => engine.run(CALLER, S0, { program, wait: true });
const plan = (program: string) => () => engine.plan(CALLER, S0, program);

it("26.1 a call that only reads asks the store twice at most, and writes once", async () => {
  await statementsOf(run('Boat("b1")'));
  await statementsOf(plan('Boat("b1")'));
  expect(await statementsOf(run('Boat("b1")'))).toEqual({ reads: 0, transactions: 1 });
  expect(await statementsOf(plan('Boat("b1")'))).toEqual({ reads: 0, transactions: 0 });
  const fresh = await statementsOf(plan('Boat("b2")'));
  expect(fresh).toEqual({ reads: 1, transactions: 1 });
  const planned = await statementsOf(run('Boat("b2")'));
  expect(planned.reads).toBeLessThanOrEqual(2);
  expect(planned.transactions).toBe(1);
});

it("26.1 what another process writes of a session counts for the next call", async () => {
  const other = engineOn({ store: await openSqliteStore({ dataDir }), api: boatsApi() });
  await run('Boat("b1")')();
  await other.context(CALLER, {
    intent: "boats",
    seeds: [{ api: "quay", entity: "Person" }],
    notation: "names",
  });
  expect((await plan('Person("p1")')()).text).toContain("plan ok");
  await other.close();
});

it("SAV-05 a list of saved programs takes as many reads for twelve as for two", async () => {
  const long = (n: number): string => `;; ${"x".repeat(4_000)}${n}\nBoat("b${n}")`;
  const save = async (n: number): Promise<void> => {
    const { meta } = await engine.plan(CALLER, S0, n % 2 === 0 ? long(n) : `Boat("b${n}")`);
    const planCommitRef = meta.plan_commit_ref;
    await engine.programs.save(CALLER, S0, { planCommitRef, name: `boat_${n}` });
  };
  const list = () => engine.programs.list(CALLER);
  for (const n of [1, 2]) await save(n);
  const few = await statementsOf(list);
  for (let n = 3; n <= 12; n += 1) await save(n);
  expect(await statementsOf(list)).toEqual(few);
  expect(few).toEqual({ reads: 3, transactions: 0 });
  expect((await list()).map(({ name }) => name)).toHaveLength(12);
});
