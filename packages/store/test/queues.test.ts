import { LocalQueue, type OperationQueue } from "@plasm/agent-core";
import { createDatabase, runSql, type TestDatabase } from "@plasm/testkit/postgres";
import { afterAll, beforeAll, inject } from "vitest";
import { testStore } from "../../agent-core/test/test-store.ts";
import { queueContract, type QueuesUnderTest } from "@plasm/agent-core/testing";
import { openPostgresQueue } from "../src/queue/open.ts";

const quiet = (): void => undefined;

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase(inject("postgresUrl"));
});
afterAll(() => database.drop());

queueContract("one process", async (): Promise<QueuesUnderTest> => {
  const queue = new LocalQueue(testStore(), quiet);
  return { queues: [queue], dispose: () => queue.stop() };
});

queueContract("two processes on PostgreSQL", async (): Promise<QueuesUnderTest> => {
  const open = (): Promise<OperationQueue> => openPostgresQueue({ url: database.url, warn: quiet });
  // At once, the first time on a database that nobody has prepared.
  const queues = await Promise.all([open(), open()]);
  return {
    queues,
    dispose: async () => {
      await Promise.all(queues.map((queue) => queue.stop()));
      await runSql(database.url, "truncate plasm_queue.job");
    },
  };
});
