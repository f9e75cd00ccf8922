import {
  LocalQueue,
  type OperationPlace,
  type OperationQueue,
  type RecordTypes,
} from "@plasm/agent-core";
import { createDatabase, runSql, type TestDatabase } from "@plasm/testkit/postgres";
import { afterAll, beforeAll, inject } from "vitest";
import { memoryStore } from "../../../agent-core/src/testing/memory-store.ts";
import { queueContract, type QueuesUnderTest } from "./queue-contract.ts";
import { nameOf } from "../queue/jobs.ts";
import { openPostgresQueue } from "../queue/open.ts";

const EVERY_MS = 200;

const quiet = (): void => undefined;

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase(inject("postgresUrl"));
});
afterAll(() => database.drop());

/** An operation of which nothing matters but that nobody has it. */
const ACCEPTED = { state: "accepted" } as RecordTypes["operation"];

queueContract("one process", async (): Promise<QueuesUnderTest> => {
  const store = memoryStore();
  const queue = new LocalQueue(store, EVERY_MS, quiet);
  return {
    queues: [queue],
    leave: async (place) => {
      await store.insert("operation", place.scope, place.id, ACCEPTED);
      await store.insert("unfinished", "", nameOf(place), place);
    },
    taken: async (place) => {
      await store.delete("unfinished", "", nameOf(place));
      await store.delete("operation", place.scope, place.id);
    },
    dispose: () => queue.stop(),
  };
});

queueContract("two processes on PostgreSQL", async (): Promise<QueuesUnderTest> => {
  const left = new Map<string, OperationPlace>();
  const open = (): Promise<OperationQueue> =>
    openPostgresQueue({
      url: database.url,
      waiting: async () => ({ places: [...left.values()], nextMs: null }),
      everyMs: EVERY_MS,
      warn: quiet,
    });
  // At once, the first time on a database that nobody has prepared.
  const queues = await Promise.all([open(), open()]);
  return {
    queues,
    leave: async (place) => void left.set(nameOf(place), place),
    taken: async (place) => void left.delete(nameOf(place)),
    dispose: async () => {
      left.clear();
      await Promise.all(queues.map((queue) => queue.stop()));
      await runSql(database.url, "truncate plasm_queue.job");
    },
  };
});
