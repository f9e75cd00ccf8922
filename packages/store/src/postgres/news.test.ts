import { createDatabase, runSql, type TestDatabase } from "@plasm/testkit/postgres";
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from "vitest";
import { StoreUnavailableError } from "../store-unavailable-error.ts";
import { type News, openPostgresNews } from "./news.ts";

const PATIENCE = { timeout: 20_000 };

let database: TestDatabase;
let here: News;
let there: News;
let heard: (string | null)[];

beforeAll(async () => {
  database = await createDatabase(inject("postgresUrl"));
});
afterAll(() => database.drop());
beforeEach(async () => {
  const options = { url: database.url, firstPauseMs: 10 };
  [here, there] = await Promise.all([openPostgresNews(options), openPostgresNews(options)]);
  heard = [];
  there.listen((text) => heard.push(text));
});
afterEach(() => Promise.all([here.stop(), there.stop()]));

/** Ends all connections but the one that asks, and waits until they are. */
const cut = () =>
  runSql(
    database.url,
    `select pg_terminate_backend(pid, 10000) from pg_stat_activity
     where datname = '${database.name}' and pid <> pg_backend_pid()`,
  );

test("what one process announces, all hear, the announcer too, in order", async () => {
  const own: (string | null)[] = [];
  here.listen((text) => own.push(text));
  for (const text of ["a ☃", "b'", "c"]) here.announce(text);
  await expect.poll(() => heard, PATIENCE).toEqual(["a ☃", "b'", "c"]);
  await expect.poll(() => own, PATIENCE).toEqual(heard);
});

test("a lost connection is made again, and who listened is told to look", async () => {
  await cut();
  await expect.poll(() => heard, PATIENCE).toContain(null);
  here.announce("after");
  await expect.poll(() => heard, PATIENCE).toContain("after");
});

test("what is announced while there is no connection is told when there is one", async () => {
  const own: (string | null)[] = [];
  here.listen((text) => own.push(text));
  await cut();
  for (let n = 0; n < 3; n += 1) here.announce(`cut ${n}`);
  await expect.poll(() => own, PATIENCE).toEqual([null, "cut 0", "cut 1", "cut 2"]);
});

test("what is too long to send tells to look", async () => {
  here.announce("x".repeat(8_000));
  await expect.poll(() => heard, PATIENCE).toEqual([null]);
});

test("who has ended listening or has stopped hears no more", async () => {
  const late: (string | null)[] = [];
  const end = there.listen((text) => late.push(text));
  end();
  here.announce("one");
  await expect.poll(() => heard, PATIENCE).toEqual(["one"]);
  expect(late).toEqual([]);
});

test("a server that is not there is told at once, with its place", async () => {
  const url = Object.assign(new URL(database.url), { port: "1" }).href;
  const opening = openPostgresNews({ url });
  await expect(opening).rejects.toBeInstanceOf(StoreUnavailableError);
  await expect(opening).rejects.toThrow(/PostgreSQL at 127\.0\.0\.1:1, database plasm_\w+ cannot/);
});
