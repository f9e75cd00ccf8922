import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "@plasm/agent-core";
import { createDatabase } from "@plasm/testkit/postgres";
import { Kysely } from "kysely";
import { DatabaseSync } from "node:sqlite";
import { afterEach, describe, expect, inject, it } from "vitest";
import { openPostgresStore, readPostgresStore } from "../postgres/open.ts";
import { nodeSqlite, sqliteDialect } from "../sqlite/dialect.ts";
import { openSqliteStore, readSqliteStore, sqliteTypes } from "../sqlite/open.ts";
import type { Tables } from "../schema/tables.ts";
import { allSteps, migrateToLatest } from "./migrate.ts";

const KEY = { tenant: "acme", version: 1, policy: {}, by: "olga", at: 0 };

interface Place {
  open(): Promise<Store>;
  read(): Promise<Store | null>;
}

const closing: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

function sqlitePlace(): Place & { readonly dataDir: string } {
  const dataDir = mkdtempSync(join(tmpdir(), "plasm-read-"));
  closing.push(() => rmSync(dataDir, { recursive: true }));
  return {
    dataDir,
    open: () => openSqliteStore({ dataDir }),
    read: () => readSqliteStore({ dataDir }),
  };
}

async function postgresPlace(): Promise<Place> {
  const { url, drop } = await createDatabase(inject("postgresUrl"));
  closing.push(drop);
  return { open: () => openPostgresStore({ url }), read: () => readPostgresStore({ url }) };
}

describe.each([
  ["sqlite", async (): Promise<Place> => sqlitePlace()],
  ["postgres", postgresPlace],
] as const)("OPS-68 a store that is only read: %s", (_, placeOf) => {
  it("is none where there is none, and none is made", async () => {
    const place = await placeOf();
    expect(await place.read()).toBeNull();
    expect(await place.read()).toBeNull();
  });

  it("is what others write, and takes no write itself", async () => {
    const place = await placeOf();
    const written = await place.open();
    await written.insert("policy", "", "acme", KEY);
    const read = await place.read();
    expect((await read?.get("policy", "", "acme"))?.value).toEqual(KEY);
    await written.insert("policy", "", "other", KEY);
    expect(await read?.list("policy", "", "")).toHaveLength(2);
    await expect(read?.insert("policy", "", "mine", KEY)).rejects.toThrow();
    await read?.close();
    expect(await written.get("policy", "", "mine")).toBeNull();
    await written.close();
  });
});

it("OPS-68 a store of an earlier program is told, and stays as it is", async () => {
  const { dataDir, read } = sqlitePlace();
  const database = new DatabaseSync(join(dataDir, "plasm.db"));
  const db = new Kysely<Tables>({ dialect: sqliteDialect(nodeSqlite(database)) });
  const [[name, step]] = Object.entries(allSteps) as [
    [string, (typeof allSteps)[string]],
    ...unknown[],
  ];
  await migrateToLatest(db, { types: sqliteTypes }, { [name]: step as never });
  await db.destroy();
  const before = readdirSync(dataDir);
  await expect(read()).rejects.toThrow(/0002-retention, 0003-texts is missing/);
  expect(readdirSync(dataDir)).toEqual(before);
});
