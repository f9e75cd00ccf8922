import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { type Caller, type Engine, LOCAL, type Store } from "@plasm/agent-core";
import { createDatabase, type TestDatabase } from "@plasm/testkit/postgres";
import pg from "pg";
import { afterEach, beforeEach, expect, inject, it, vi } from "vitest";
import { boatsApi } from "../../agent-core/test/boats-api.ts";
import { engineOn } from "../../agent-core/test/engine-on.ts";
import { openPostgresStore } from "../src/postgres/open.ts";

const CALLER: Caller = { ...LOCAL, connection: "c".repeat(32) };
const S0 = { kind: "ref", ref: "s0" } as const;
/** What follows an answer: what happened is traced, and looked up for that. */
const TRACED_MS = 600;
const NEVER_MS = 3_600_000;

let database: TestDatabase;
let store: Store;
let engine: Engine;
/** The statements of the call that is running: what an earlier call left to do is counted there. */
const statements = new AsyncLocalStorage<string[]>();

beforeEach(async () => {
  database = await createDatabase(inject("postgresUrl"));
  store = await openPostgresStore({ url: database.url });
  engine = engineOn({ store, api: boatsApi(), lookEveryMs: NEVER_MS });
  await engine.context(CALLER, { intent: "boats", seeds: [{ api: "quay", entity: "Boat" }] });
  const { query } = pg.Client.prototype;
  vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (
    this: pg.Client,
    ...given: unknown[]
  ) {
    const first = given[0] as string | { readonly text: string };
    statements.getStore()?.push(typeof first === "string" ? first : first.text);
    return (query as (...all: unknown[]) => unknown).apply(this, given) as never;
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await engine.close();
  await database.drop();
});

/** The statements of a call until its answer: those outside transactions, and how many transactions there were. */
async function statementsOf(call: () => Promise<unknown>) {
  const asked: string[] = [];
  await statements.run(asked, call);
  const words = asked.map((text) => /\w+/.exec(text)?.[0]?.toLowerCase() ?? "");
  // What is noted of it shall not hold up the next call.
  await delay(TRACED_MS);
  const begun = words.indexOf("start");
  const outside = words.slice(0, begun === -1 ? words.length : begun);
  return { reads: outside.length, transactions: words.filter((word) => word === "commit").length };
}

const run = (program: string, planCommitRef: string) => () =>
  engine.run(CALLER, S0, { program, wait: true, planCommitRef });
const plan = (program: string) => () => engine.plan(CALLER, S0, program);

it("26.1 a call that only reads asks a shared store twice at most, and writes once", async () => {
  await statementsOf(plan('Boat("b1")'));
  await statementsOf(run('Boat("b1")', "pc0"));
  expect(await statementsOf(plan('Boat("b2")'))).toEqual({ reads: 2, transactions: 1 });
  expect(await statementsOf(run('Boat("b2")', "pc1"))).toEqual({ reads: 2, transactions: 1 });
});
