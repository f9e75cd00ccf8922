import { DatabaseSync } from "node:sqlite";
import { Kysely } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import { migrateToLatest } from "../migrations/migrate.ts";
import type { Db, Tables } from "../schema/tables.ts";
import { nodeSqlite, sqliteDialect } from "../sqlite/dialect.ts";
import { sqliteTypes } from "../sqlite/open.ts";
import { freeSlots, slotOf } from "./numbers.ts";

let database: DatabaseSync;
let db: Db;

beforeEach(async () => {
  database = new DatabaseSync(":memory:");
  db = new Kysely<Tables>({ dialect: sqliteDialect(nodeSqlite(database)) });
  await migrateToLatest(db, { types: sqliteTypes });
});
afterEach(() => db.destroy());

/** Slots as an earlier program left them: nothing is noted of what is free. */
function hold(principal: string, slots: number): void {
  const insert = database.prepare("insert into slots values (?, ?, ?)");
  database.exec("begin");
  for (let slot = 0; slot < slots; slot += 1) insert.run(principal, slot, `${principal}-${slot}`);
  database.exec("commit");
}

/** The least time that one of some openings takes, in ms. */
async function openingMs(principal: string): Promise<number> {
  let least = Infinity;
  for (let at = 0; at < 40; at += 1) {
    const began = performance.now();
    await slotOf(db, principal, `new ${at}`);
    least = Math.min(least, performance.now() - began);
  }
  return least;
}

it("26.8 allots a slot without counting those that are held", async () => {
  hold("many", 100_000);
  hold("few", 10);
  expect([await slotOf(db, "many", "first"), await slotOf(db, "few", "first")]).toEqual([
    100_000, 10,
  ]);
  const few = await openingMs("few");
  expect(await openingMs("many")).toBeLessThan(4 * few);
});

it("SESS-3 the lowest free slot is found among those of an earlier program, and after any were freed", async () => {
  hold("p", 6);
  await freeSlots(db, "p-3");
  expect(await slotOf(db, "p", "a")).toBe(3);
  expect(await slotOf(db, "p", "b")).toBe(6);
  for (const id of ["p-5", "p-1", "b"]) await freeSlots(db, id);
  const next: number[] = [];
  for (const id of ["c", "d", "e", "f"]) next.push(await slotOf(db, "p", id));
  expect(next).toEqual([1, 5, 6, 7]);
});

it("SESS-37 nothing is noted of a principal whose slots are all free", async () => {
  for (const id of ["a", "b"]) await slotOf(db, "p", id);
  for (const id of ["a", "b"]) await freeSlots(db, id);
  expect(await db.selectFrom("counters").selectAll().execute()).toEqual([]);
  expect(await slotOf(db, "p", "c")).toBe(0);
});
