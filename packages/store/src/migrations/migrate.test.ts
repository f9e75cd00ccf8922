import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Store } from "@plasm/agent-core";
import { createDatabase, runSql } from "@plasm/testkit/postgres";
import { afterEach, describe, expect, inject, it } from "vitest";
import { openPostgresStore } from "../postgres/open.ts";
import { openSqliteStore } from "../sqlite/open.ts";
import { allSteps } from "./migrate.ts";

interface Place {
  open(): Promise<Store>;
  openThree(): Promise<readonly Store[]>;
  /** Runs a statement on its tables, which are written `{table}`. */
  sql(statement: string): Promise<void>;
  drop(): Promise<void>;
}

async function sqlite(): Promise<Place> {
  const dataDir = mkdtempSync(join(tmpdir(), "plasm-store-"));
  const open = () => openSqliteStore({ dataDir });
  return {
    open,
    // One by one: a lock blocks the whole process. Processes that open at once: see sqlite/open.test.ts.
    openThree: async () => [await open(), await open(), await open()],
    sql: async (statement) => {
      const raw = new DatabaseSync(join(dataDir, "plasm.db"));
      raw.exec(statement.replaceAll(/\{(\w+)\}/g, "$1"));
      raw.close();
    },
    drop: async () => rmSync(dataDir, { recursive: true }),
  };
}

async function postgres(): Promise<Place> {
  const { url, drop } = await createDatabase(inject("postgresUrl"));
  const open = () => openPostgresStore({ url, connections: 2 });
  return {
    open,
    openThree: () => Promise.all([open(), open(), open()]),
    sql: async (statement) => {
      await runSql(url, statement.replaceAll(/\{(\w+)\}/g, "plasm.$1"));
    },
    drop,
  };
}

const steps = Object.keys(allSteps);

describe.each([
  ["sqlite", sqlite],
  ["postgres", postgres],
])("schema on %s", (_, make) => {
  let place: Place;
  afterEach(() => place.drop());

  it("is made once, whoever opens it when, and keeps what it has when opened again", async () => {
    place = await make();
    const stores = await place.openThree();
    expect(await stores[0]?.insert("minted", "t1", "x", { ref: "pc0" })).toBe(true);
    for (const store of stores) await store.close();
    const again = await place.open();
    expect((await again.get("minted", "t1", "x"))?.value.ref).toBe("pc0");
    await again.close();
  });

  it("of a newer program is refused with its name, and left as it is", async () => {
    place = await make();
    await (await place.open()).close();
    await place.sql(
      "insert into {kysely_migration} (name, timestamp) values ('9999-later', '2100-01-01T00:00:00.000Z')",
    );
    await expect(place.open()).rejects.toThrow(
      `a newer Plasm made its schema (9999-later); this one knows it up to ${steps.at(-1)}. Use that version or a later one`,
    );
    await place.sql("delete from {kysely_migration} where name = '9999-later'");
    await (await place.open()).close();
  });
});

it("steps are named in their order", () => {
  expect(steps).toEqual(steps.toSorted());
  for (const [index, name] of steps.entries()) {
    expect(name).toMatch(new RegExp(`^${String(index + 1).padStart(4, "0")}-[a-z-]+$`));
  }
});
