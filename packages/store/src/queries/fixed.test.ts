import { DatabaseSync } from "node:sqlite";
import { DummyDriver, Kysely, PostgresAdapter, PostgresQueryCompiler } from "kysely";
import { describe, expect, it } from "vitest";
import type { Db, Tables } from "../schema/tables.ts";
import { nodeSqlite, sqliteDialect } from "../sqlite/dialect.ts";
import { fixed, written } from "./fixed.ts";

function openSqlite(): Db {
  const database = new DatabaseSync(":memory:");
  database.exec("create table counters (owner text, kind text, next integer)");
  return new Kysely<Tables>({ dialect: sqliteDialect(nodeSqlite(database)) });
}

function counted() {
  const builds: string[] = [];
  const insert = fixed((db, of: { owner: string; next: number }) => {
    builds.push("insert");
    return db.insertInto("counters").values({ owner: of.owner, kind: "r", next: of.next });
  });
  const below = fixed((db, { limit }: { limit: number }) => {
    builds.push("below");
    return db.selectFrom("counters").select("owner").where("next", "<", limit).orderBy("owner");
  });
  return { insert, below, builds };
}

describe("fixed queries", () => {
  it("are built once for a database, and run with the values of each call", async () => {
    const db = openSqlite();
    const { insert, below, builds } = counted();
    for (const [next, owner] of ["a", "b", "c"].entries()) {
      expect(written(await insert(db, { owner, next }))).toBe(1);
    }
    expect((await below(db, { limit: 2 })).rows).toEqual([{ owner: "a" }, { owner: "b" }]);
    expect((await below(db, { limit: 1 })).rows).toEqual([{ owner: "a" }]);
    expect(builds).toEqual(["insert", "below"]);
    await db.destroy();
  });

  it("are the same in a transaction, and part of it", async () => {
    const db = openSqlite();
    const { insert, below, builds } = counted();
    await below(db, { limit: 9 });
    const failing = db.transaction().execute(async (tx) => {
      await insert(tx, { owner: "a", next: 1 });
      expect((await below(tx, { limit: 9 })).rows).toHaveLength(1);
      throw new Error("stop");
    });
    await expect(failing).rejects.toThrow("stop");
    expect((await below(db, { limit: 9 })).rows).toEqual([]);
    expect(builds).toEqual(["below", "insert"]);
    await db.destroy();
  });

  it("are other texts for other databases and schemas", async () => {
    const texts: string[] = [];
    const postgres = new Kysely<Tables>({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => new DummyDriver(),
        createIntrospector: () => {
          throw new Error("nobody asks");
        },
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
      log: ({ query }) => void texts.push(query.sql),
    }).withSchema("plasm");
    const sqlite = openSqlite();
    const { below } = counted();
    await below(sqlite, { limit: 1 });
    await below(postgres, { limit: 1 });
    expect(texts).toEqual([
      'select "owner" from "plasm"."counters" where "next" < $1 order by "owner"',
    ]);
    await sqlite.destroy();
    await postgres.destroy();
  });
});
