import type { OperationKey, OperationQueue } from "@plasm/agent-core";
import { createDatabase, runSql, type TestDatabase } from "@plasm/testkit/postgres";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { StoreUnavailableError } from "../store-unavailable-error.ts";
import { QUEUE, startBoss } from "./jobs.ts";
import { openPostgresQueue } from "./open.ts";

const PATIENCE = { timeout: 20_000 };
const PLACE: OperationKey = { scope: "t1", id: "l1/o1" };

let database: TestDatabase;
let queue: OperationQueue;
const said: unknown[] = [];

beforeAll(async () => {
  database = await createDatabase(inject("postgresUrl"));
  queue = await openPostgresQueue({
    url: database.url,
    warn: (...what) => said.push(what),
  });
});
afterAll(async () => {
  await queue.stop();
  await database.drop();
});

it("OPS-31 brings a job to another process when the one that had it is dead", async () => {
  const dead = await startBoss(database.url, false, () => undefined);
  await queue.submit(PLACE);
  const [job] = await dead.fetch<OperationKey>(QUEUE);
  expect(job?.data).toEqual(PLACE);
  await dead.stop({ graceful: false });
  const begun: OperationKey[] = [];
  queue.work(async (place) => void begun.push(place));
  // Its last sign of life, put back by the time that pg-boss waits for the next.
  const stale = "update plasm_queue.job set heartbeat_on = heartbeat_on - interval '11 s'";
  await runSql(database.url, `${stale} where state = 'active'`);
  await expect.poll(() => begun, PATIENCE).toEqual([PLACE]);
}, 30_000);

it("OPS-31 what is submitted to a process at rest is another one's", async () => {
  // On a database of its own: the other queue here works, too, and would take the job as well.
  const own = await createDatabase(inject("postgresUrl"));
  const [resting, other] = [
    await openPostgresQueue({ url: own.url }),
    await openPostgresQueue({ url: own.url }),
  ];
  const begun: string[] = [];
  resting.work(async () => void begun.push("resting"));
  await resting.rest();
  await resting.submit(PLACE);
  other.work(async ({ id }) => void begun.push(id));
  await expect.poll(() => begun, PATIENCE).toEqual([PLACE.id]);
  await Promise.all([resting.stop(), other.stop()]);
  await own.drop();
}, 30_000);

it("OPS-23 who overhears is told of every operation that any process announces", async () => {
  const heard: OperationKey[] = [];
  const end = queue.overhear?.((place) => heard.push(place));
  const other = await openPostgresQueue({ url: database.url });
  other.announce(PLACE);
  await expect.poll(() => heard, PATIENCE).toEqual([PLACE]);
  end?.();
  await other.stop();
});

it("a lost connection tells all who listen to look", async () => {
  let heard = 0;
  const unlisten = queue.listen(PLACE, () => (heard += 1));
  await runSql(
    database.url,
    `select pg_terminate_backend(pid, 10000) from pg_stat_activity
     where datname = '${database.name}' and application_name = 'plasm news'`,
  );
  await expect.poll(() => heard, PATIENCE).toBe(1);
  unlisten();
});

it("keeps in its jobs the names of operations alone", async () => {
  await queue.submit({ scope: "t1", id: "l1/o2" });
  const rows = await runSql(database.url, "select data from plasm_queue.job");
  for (const row of rows) {
    expect(Object.keys((row as { readonly data: object }).data).toSorted()).toEqual([
      "id",
      "scope",
    ]);
  }
  expect(rows.length).toBeGreaterThan(0);
});

it("a server that is not there is told at once, with its place", async () => {
  const url = Object.assign(new URL(database.url), { port: "1" }).href;
  const opening = openPostgresQueue({ url });
  await expect(opening).rejects.toBeInstanceOf(StoreUnavailableError);
  await expect(opening).rejects.toThrow(/PostgreSQL at 127\.0\.0\.1:1, database plasm_\w+ cannot/);
});

it("needs no more than a schema of its own, and says so to a user who has none", async () => {
  const role = `worker_${database.name}`;
  const own = await createDatabase(inject("postgresUrl"));
  await runSql(own.url, `create role ${role} login password 'pw-0f-worker'`);
  const url = Object.assign(new URL(own.url), { username: role, password: "pw-0f-worker" }).href;
  const refused = openPostgresQueue({ url });
  await expect(refused).rejects.toThrow(`schemas plasm and plasm_queue that belong to ${role}`);
  await runSql(own.url, `create schema plasm_queue authorization ${role}`);
  const opened = await openPostgresQueue({ url });
  const begun: OperationKey[] = [];
  opened.work(async (place) => void begun.push(place));
  await opened.submit(PLACE);
  await expect.poll(() => begun, PATIENCE).toEqual([PLACE]);
  await opened.stop();
  await own.drop();
});
