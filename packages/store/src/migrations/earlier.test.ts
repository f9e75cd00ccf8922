import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import type { CommitRecord, Store } from "@plasm/agent-core";
import { sweep } from "@plasm/agent-core/internal";
import { createDatabase, runSql } from "@plasm/testkit/postgres";
import { afterEach, describe, expect, inject, it } from "vitest";
import { openPostgresStore } from "../postgres/open.ts";
import { openSqliteStore } from "../sqlite/open.ts";
import { allSteps } from "./migrate.ts";
import { CONTENT, rowsOf, schemaOf } from "../../test/schemas/earlier-schemas.ts";

const T0 = 1_800_000_000_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A database of an earlier program, of which nothing but its address is known. */
interface Earlier {
  readonly dialect: "sqlite" | "postgres";
  sql(statements: readonly string[]): Promise<void>;
  open(now: () => number): Promise<Store>;
  /** Opens it in several processes, or as several do, at the same time. */
  openAtOnce(): Promise<void>;
  /** Columns and indexes, as the database tells them. */
  shape(): Promise<unknown>;
  drop(): Promise<void>;
}

const OPENING = (dataDir: string): string => `
  const { openSqliteStore } = await import(${JSON.stringify(new URL("../sqlite/open.ts", import.meta.url).href)});
  const store = await openSqliteStore({ dataDir: ${JSON.stringify(dataDir)} });
  console.log(await store.nextNumber("opened", "r"));
  await store.close();`;

const SQLITE_SHAPE = `select m.name as name, c.name as "column", c.type as type, c."notnull" as nulls, c.dflt_value as fallback
  from sqlite_master m join pragma_table_info(m.name) c where m.type = 'table' and m.name not like 'sqlite%'
  union all select name, sql, '', 0, '' from sqlite_master where type = 'index' and sql is not null
  order by 1, 2`;

const POSTGRES_SHAPE = `select table_name as name, column_name as "column", data_type as type, is_nullable as nulls,
    column_default as fallback, collation_name as collation
  from information_schema.columns where table_schema = 'plasm'
  union all select tablename, indexdef, '', '', '', '' from pg_indexes where schemaname = 'plasm'
  order by 1, 2`;

async function sqlite(): Promise<Earlier> {
  const dataDir = mkdtempSync(join(tmpdir(), "plasm-earlier-"));
  const raw = <T>(work: (database: DatabaseSync) => T): T => {
    const database = new DatabaseSync(join(dataDir, "plasm.db"));
    try {
      return work(database);
    } finally {
      database.close();
    }
  };
  return {
    dialect: "sqlite",
    sql: async (statements) =>
      raw((database) => {
        for (const statement of statements) database.exec(statement);
      }),
    open: (now) => openSqliteStore({ dataDir, now }),
    openAtOnce: async () => {
      const run = promisify(execFile);
      const script = ["--input-type=module", "-e", OPENING(dataDir)];
      const told = await Promise.all([1, 2].map(() => run(process.execPath, script)));
      expect(told.map(({ stdout }) => stdout.trim()).toSorted()).toEqual(["1", "2"]);
    },
    shape: async () => raw((database) => database.prepare(SQLITE_SHAPE).all()),
    drop: async () => rmSync(dataDir, { recursive: true }),
  };
}

async function postgres(): Promise<Earlier> {
  const { url, drop } = await createDatabase(inject("postgresUrl"));
  return {
    dialect: "postgres",
    sql: async (statements) => void (await runSql(url, ...statements)),
    open: (now) => openPostgresStore({ url, now, connections: 2 }),
    openAtOnce: async () => {
      const open = () => openPostgresStore({ url, connections: 1 });
      for (const store of await Promise.all([open(), open(), open()])) await store.close();
    },
    shape: () => runSql(url, POSTGRES_SHAPE),
    drop,
  };
}

/** What the session of these rows is, as far as a store tells it. */
async function told(store: Store, mark: string): Promise<unknown> {
  const key = { promptHash: "ab", sessionId: `s${mark}` };
  const content = await store.getBlob(CONTENT);
  return {
    session: (await store.session("t1", key))?.logicalId,
    readOnly: (await store.session("t1", key))?.readOnly ?? false,
    live: (await store.liveSession(`k${mark}`))?.sessionId,
    waves: (await store.waves(key)).map(({ text }) => text),
    catalog: (await store.pinnedCatalog(`sha256:${mark}`))?.domain,
    slot: await store.logicalAtSlot(`p${mark}`, 0),
    intent: (await store.get("logical", "t1", `L${mark}`))?.value.intent,
    commit: (await store.get("commit", "t1", `L${mark}/pc0`))?.version,
    // Its program stands in its record since then, and in none before.
    planned: (await store.get("commit", "t1", `L${mark}/pc0`))?.value.program ?? null,
    content: content === null ? null : new TextDecoder().decode(content),
  };
}

const whole = (mark: string) => ({
  session: `L${mark}`,
  readOnly: false,
  live: `s${mark}`,
  waves: ["e1 Boat"],
  catalog: "d",
  slot: `L${mark}`,
  intent: "boats",
  commit: 2,
  planned: null,
  content: "rows",
});

const steps = Object.keys(allSteps);
const earlier = steps.slice(0, -1);

describe.each([
  ["sqlite", sqlite],
  ["postgres", postgres],
])("a database on %s that an earlier program made", (_, make) => {
  let place: Earlier;
  let now = T0;
  const clock = (): number => now;
  afterEach(() => place.drop());

  it.each(earlier)("%s is brought up to date, once, with all that it holds", async (step) => {
    now = T0;
    place = await make();
    await place.sql([...schemaOf(step, place.dialect), ...rowsOf(step, place.dialect, "a")]);
    await place.openAtOnce();
    const store = await place.open(clock);
    expect(await told(store, "a")).toEqual(whole("a"));
    expect(await store.nextNumber("La", "r")).toBe(2);
    await store.close();
    const migrated = await place.shape();
    await place.drop();
    place = await make();
    await (await place.open(clock)).close();
    expect(migrated).toEqual(await place.shape());
  });

  it.each(earlier)(
    "%s: its program goes on beside a newer one, and what it writes is swept as its own time says",
    async (step) => {
      now = T0;
      place = await make();
      await place.sql([...schemaOf(step, place.dialect), ...rowsOf(step, place.dialect, "a")]);
      const store = await place.open(clock);
      await place.sql(rowsOf(step, place.dialect, "b"));
      await sweep(store);
      now = T0 + HOUR - 1;
      await place.sql(
        [`update {records} set version = version + 1 where id = 'Lb'`].map((one) =>
          one.replace("{records}", place.dialect === "postgres" ? "plasm.records" : "records"),
        ),
      );
      await sweep(store);
      for (const mark of ["a", "b"]) {
        const { commit: _commit, ...rest } = whole(mark);
        expect(await told(store, mark)).toMatchObject(rest);
      }
      now = T0 + 6 * DAY;
      await sweep(store);
      expect(await store.getBlob(CONTENT)).not.toBeNull();
      expect(await told(store, "b")).toMatchObject({ waves: [], catalog: undefined });
      now = T0 + 40 * DAY;
      await sweep(store);
      now = T0 + 41 * DAY;
      await sweep(store);
      expect(await told(store, "b")).toMatchObject({ slot: null, content: null });
      await store.close();
    },
  );

  it("18.16 a long program outlasts what a program of schema 0002 beside it sweeps and writes", async () => {
    now = T0;
    place = await make();
    const prefix = place.dialect === "postgres" ? "plasm." : "";
    const asEarlier = (statement: string): Promise<void> =>
      place.sql([statement.replaceAll(/\{(\w+)\}/g, `${prefix}$1`)]);
    const store = await place.open(clock);
    const program = "Boat(1).ping()\n".repeat(200);
    const [removed, kept] = ["L/pc0", "L/pc1"] as const;
    const commit = { state: "live", program } as unknown as CommitRecord;
    for (const id of [removed, kept]) await store.insert("commit", "t1", id, commit);
    await store.delete("commit", "t1", removed);
    await asEarlier(
      `delete from {blobs} where loose_since > 0
        and not exists (select 1 from {records} where records.blob = blobs.sha256)`,
    );
    await asEarlier(
      `update {records} set version = 2, settled = 2, blob = null, body = '{"state":"consumed"}'`,
    );
    expect((await store.get("commit", "t1", kept))?.value).toEqual({ state: "consumed", program });
    await store.delete("commit", "t1", kept);
    await sweep(store);
    expect(await store.usage(0, 1)).toEqual({ bytes: new Map(), next: null });
    await store.close();
  });
});
