import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import { gunzipSync } from "node:zlib";
import { LOCAL, type Engine, type SessionAddress, type Store } from "@plasm/agent-core";
import { approvalsIn, sweep } from "@plasm/agent-core/internal";
import { createDatabase, runSql } from "@plasm/testkit/postgres";
import { afterEach, describe, expect, inject, it } from "vitest";
import { boatsApi } from "../../agent-core/test/boats-api.ts";
import { engineOn } from "../../agent-core/test/engine-on.ts";
import { openPostgresStore } from "../src/postgres/open.ts";
import { openSqliteStore } from "../src/sqlite/open.ts";
import { postgresOfSchema } from "./postgres-of-schema.ts";

/** The time at which every one of them was written. */
const T0 = 1_800_000_000_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const DIRECTORY = new URL("./earlier/", import.meta.url);
const COMMITS = readdirSync(DIRECTORY)
  .filter((name) => name.endsWith(".db.gz"))
  .map((name) => name.slice(0, -".db.gz".length));

let now = T0;
const clock = (): number => now;
const undo: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const one of undo.splice(0).toReversed()) await one();
});

/** The data directory that the program of a commit left. */
function directoryOf(commit: string): string {
  const dataDir = mkdtempSync(join(tmpdir(), "plasm-earlier-"));
  undo.push(() => rmSync(dataDir, { recursive: true }));
  const bytes = gunzipSync(readFileSync(new URL(`${commit}.db.gz`, DIRECTORY)));
  writeFileSync(join(dataDir, "plasm.db"), bytes);
  return dataDir;
}

const onSqlite = async (commit: string): Promise<Store> =>
  openSqliteStore({ dataDir: directoryOf(commit), now: clock });

const TABLES = [
  "records",
  "counters",
  "slots",
  "execute_sessions",
  "waves",
  "catalogs",
  "blobs",
] as const;

const literal = (value: SQLOutputValue): string => {
  if (value === null) return "null";
  if (value instanceof Uint8Array) return `'\\x${Buffer.from(value).toString("hex")}'`;
  return `'${String(value).replaceAll("'", "''")}'`;
};

/** The same rows in a PostgreSQL of the same schema. */
async function onPostgres(commit: string): Promise<Store> {
  const raw = new DatabaseSync(join(directoryOf(commit), "plasm.db"));
  const steps = raw.prepare("select name from kysely_migration order by name").all();
  const { url, drop } = await createDatabase(inject("postgresUrl"));
  undo.push(drop);
  await postgresOfSchema(
    url,
    steps.map(({ name }) => String(name)),
  );
  for (const table of TABLES) {
    const rows = raw.prepare(`select * from ${table}`).all();
    const statements = rows.map((row) => {
      const kept = Object.entries(row).filter(([column]) => column !== "seq");
      const columns = kept.map(([column]) => column).join(", ");
      const values = kept.map(([, value]) => literal(value)).join(", ");
      return `insert into plasm.${table} (${columns}) values (${values})`;
    });
    await runSql(url, ...statements);
  }
  raw.close();
  return openPostgresStore({ url, now: clock, connections: 2 });
}

const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** What each question came to: `ok`, or the code of the problem. */
type Answers = ReadonlyMap<string, string>;

/** Asks for everything that a store of these can hold, as a client of today does. */
async function askAll(engine: Engine, store: Store): Promise<Answers> {
  const answers = new Map<string, string>();
  const ask = async (name: string, call: () => Promise<unknown>): Promise<void> => {
    try {
      await call();
      answers.set(name, "ok");
    } catch (thrown) {
      answers.set(name, engine.problemOf(thrown).code);
    }
  };
  const snapshots = await store.list("snapshot", LOCAL.scope, "");
  const pairs = new Map(
    snapshots.map(({ value: { session } }) => [session.sessionId, { kind: "pair", ...session }]),
  ) as ReadonlyMap<string, SessionAddress>;
  const addresses = [{ kind: "ref", ref: "s0" } as const, ...pairs.values()];
  for (const [index, at] of addresses.entries()) {
    const of = (name: string): string => `${index} ${name}`;
    await ask(of("describe"), () => engine.describe(LOCAL, at));
    await ask(of("status"), () => engine.status(LOCAL, at));
    await ask(of("symbols"), () => engine.symbols(LOCAL, at));
    await ask(of("runs"), () => engine.runs(LOCAL, at));
    await ask(of("grafts"), () => engine.grafts(LOCAL, at));
    for (const n of range(1, 10)) {
      await ask(of(`r/${n}`), () => engine.artifact(LOCAL, at, { n }));
      const snapshot = snapshots.find(({ value }) => value.n === n)?.value.runId ?? "none";
      await ask(of(`run ${n}`), () => engine.artifact(LOCAL, at, { runId: snapshot }));
    }
    for (const n of range(1, 3)) {
      await ask(of(`o${n}`), () => engine.operation(LOCAL, at, `o${n}`));
      const program = `wait(o${n})`;
      await ask(of(program), () => engine.run(LOCAL, at, { program, wait: false }));
    }
    for (const n of range(1, 4)) {
      await ask(of(`pg${n}`), () => engine.run(LOCAL, at, { program: `page(pg${n})` }));
    }
    for (const n of range(0, 14)) {
      await ask(of(`pc${n}`), () => engine.run(LOCAL, at, { planCommitRef: `pc${n}` }));
    }
    await ask(of("again"), () =>
      engine.run(LOCAL, at, { program: 'Boat("b1").ping()', planCommitRef: "pc5" }),
    );
    await ask(of("plan"), () => engine.plan(LOCAL, at, "Boat.limit(1)[id]"));
    await ask(of("read"), () => engine.run(LOCAL, at, { program: "Boat.limit(1)[id]" }));
  }
  for (const n of range(1, 10)) {
    const uri = `plasm://session/s0/r/${n}`;
    await ask(uri, () => engine.readResource(LOCAL, uri));
  }
  await ask("traces", () => engine.traces(LOCAL));
  for (const { value } of await store.list("trace", LOCAL.scope, "")) {
    await ask(`trace ${value.kind}`, () => engine.trace(LOCAL, value.owner));
  }
  await ask("tasks", () => engine.tasks.list(LOCAL));
  for (const { value } of await store.list("task", LOCAL.scope, "")) {
    await ask("task", () => engine.tasks.get(LOCAL, value.uuid));
    await ask("task result", () => engine.tasks.result(LOCAL, value.uuid));
  }
  const operator = { scope: LOCAL.scope, subject: "olga" };
  const approvals = approvalsIn(store);
  await ask("approvals", () => approvals.list(operator));
  for (const [index, { value }] of (await store.list("approval", LOCAL.scope, "")).entries()) {
    await ask(`decide ${index}`, () => approvals.decide(operator, value.uuid, "approved"));
  }
  const seeds = [{ api: "quay", entity: "Boat" }];
  await ask("context", () => engine.context(LOCAL, { intent: "boats", seeds }));
  return answers;
}

const withCode = (answers: Answers, chosen: (code: string) => boolean): readonly string[] =>
  [...answers].flatMap(([name, code]) => (chosen(code) ? [`${name}: ${code}`] : []));

/** What these answers mean: a defect of this program, or a store that cannot be used. */
const DEFECTS = new Set(["plasm-internal", "plasm-store-unavailable"]);

/** What a page handle is answered whose rows this program cannot go on from: that they are lost. */
const PAGES: ReadonlyMap<string, string> = new Map([
  ["6f173e87", "plasm-review-required"],
  ["08ceb9ad", "plasm-review-required"],
]);

/** Those of a schema's last commit, since there is PostgreSQL, and of the last form of its records. */
const SINCE_POSTGRES = ["2e3a4616", "c2cef565", "fe1e2033"];

describe.each([
  ["sqlite", COMMITS, onSqlite],
  ["postgres", SINCE_POSTGRES, onPostgres],
] as const)("18.11 a store on %s that an earlier commit wrote", (_dialect, commits, open) => {
  it.each(commits)("%s: every read is answered, or told as lost, now and later", async (commit) => {
    now = T0 + 60_000;
    const store = await open(commit);
    const warned: string[] = [];
    const engine = engineOn({
      store,
      api: boatsApi(300),
      warn: (what, cause) => warned.push(`${what}: ${String(cause)}`),
    });
    undo.push(() => engine.close());
    const first = await askAll(engine, store);
    expect(withCode(first, (code) => DEFECTS.has(code))).toEqual([]);
    expect(first.get("0 read")).toBe("ok");
    expect(first.get("0 pg1")).toBe(PAGES.get(commit) ?? "ok");
    expect(withCode(first, (code) => code === "ok").length).toBeGreaterThan(30);
    for (const later of [2 * HOUR, 40 * DAY]) {
      now = T0 + later;
      await sweep(store);
      const answers = await askAll(engine, store);
      expect(withCode(answers, (code) => DEFECTS.has(code))).toEqual([]);
    }
    expect(warned).toEqual([]);
    expect((await store.list("cursor", LOCAL.scope, "")).length).toBeLessThan(5);
  });
});
