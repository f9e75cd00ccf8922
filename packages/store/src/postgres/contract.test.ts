import type { Store } from "@plasm/agent-core";
import { createDatabase, runSql, type TestDatabase } from "@plasm/testkit/postgres";
import { afterAll, beforeAll, inject } from "vitest";
import { someOfEverything } from "../../../agent-core/test/some-of-everything.ts";
import { approvalsContract } from "../../test/approvals-contract.ts";
import { quotasContract } from "../../test/quotas-contract.ts";
import { schedulesContract } from "../../test/schedules-contract.ts";
import { auditContract } from "../../test/audit-contract.ts";
import { boundContract } from "../../test/bound-contract.ts";
import { HELD, heldIn } from "../../test/held.ts";
import { sweepContract } from "../../test/sweep-contract.ts";
import { storeContract, type StoreUnderTest } from "@plasm/agent-core/testing";
import { textsContract } from "../../test/texts-contract.ts";
import { openPostgresStore } from "./open.ts";

/** Every table of the store, by a query that cannot forget one. */
const EMPTY = `do $$ begin execute (
  select 'truncate ' || string_agg(format('plasm.%I', tablename), ', ') || ' restart identity'
  from pg_tables where schemaname = 'plasm' and tablename not like 'kysely%'); end $$`;

let database: TestDatabase;
let store: Store;
let now = 0;
const opened: Store[] = [];

async function openOne(): Promise<Store> {
  const one = await openPostgresStore({ url: database.url, now: () => now });
  opened.push(one);
  return one;
}

beforeAll(async () => {
  database = await createDatabase(inject("postgresUrl"));
  store = await openOne();
});
afterAll(async () => {
  for (const one of opened) await one.close();
  await database.drop();
});

async function open(): Promise<StoreUnderTest> {
  await runSql(database.url, EMPTY);
  return {
    store,
    setNow: (ms) => {
      now = ms;
    },
    reopen: openOne,
    held: async () => {
      const rows = await runSql(database.url, HELD.replaceAll(/(?<=from )(\w+)/g, "plasm.$1"));
      return heldIn(rows);
    },
    dispose: async () => undefined,
  };
}

storeContract("postgres", open);
sweepContract("postgres", open, someOfEverything);
boundContract("postgres", open);
approvalsContract("postgres", open);
quotasContract("postgres", open);
schedulesContract("postgres", open);
auditContract("postgres", open);
textsContract("postgres", open);
