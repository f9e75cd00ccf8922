import { assertProperty } from "@plasm/testkit";
import type { PostgresUrlName } from "@plasm/testkit/postgres";
import { inject, test } from "vitest";
import { onMemory, onSqlite, postgresGround, sessionsHoldOn } from "./model/sessions-hold.ts";

const SERVER: PostgresUrlName = "postgresUrl";

test(
  "P1 P2 P3 P4 P5 P6 P7 P9 P25 F6 F23 SESS-12 SESS-31 SESS-38 SURF-24 sessions hold while replicas die, in memory",
  () => assertProperty(onMemory),
  120_000,
);

test(
  "P1 P6 F6 F23 sessions hold while replicas die, on SQLite",
  () => assertProperty(onSqlite),
  120_000,
);

test(
  "P1 P6 F6 F23 sessions hold while replicas die, on PostgreSQL",
  () => assertProperty(sessionsHoldOn("postgres", 1, () => postgresGround(inject(SERVER)))),
  120_000,
);
