import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { nodeSqlite } from "./dialect.ts";

let database: DatabaseSync;

beforeEach(() => {
  database = new DatabaseSync(":memory:");
  database.exec("create table boat (id text, name text)");
});
afterEach(() => database.close());

test("a statement is prepared once for its text, and takes new parameters each time", () => {
  const driver = nodeSqlite(database);
  const insert = driver.prepare("insert into boat values (?, ?)");
  insert.run(["b1", "Alma"]);
  expect(driver.prepare("insert into boat values (?, ?)")).toBe(insert);
  driver.prepare("insert into boat values (?, ?)").run(["b2", "Bora"]);
  const select = driver.prepare("select name from boat where id = ?");
  expect([select.reader, insert.reader]).toEqual([true, false]);
  expect(["b2", "b1"].map((id) => select.all([id]))).toEqual([
    [expect.objectContaining({ name: "Bora" })],
    [expect.objectContaining({ name: "Alma" })],
  ]);
});

test("a kept statement sees a column that was added after it was prepared", () => {
  const driver = nodeSqlite(database);
  driver.prepare("select * from boat").all([]);
  database.exec("alter table boat add column owner text default 'ann'");
  database.exec("insert into boat (id, name) values ('b1', 'Alma')");
  expect(driver.prepare("select * from boat").all([])).toEqual([
    expect.objectContaining({ id: "b1", owner: "ann" }),
  ]);
});

test("any number of texts is served, the oldest prepared anew", () => {
  const driver = nodeSqlite(database);
  const first = driver.prepare("select 0 as n");
  for (let n = 1; n <= 1_000; n += 1) {
    expect(driver.prepare(`select ${n} as n`).all([])).toEqual([expect.objectContaining({ n })]);
  }
  expect(driver.prepare("select 0 as n")).not.toBe(first);
  expect(first.all([])).toEqual([expect.objectContaining({ n: 0 })]);
});
