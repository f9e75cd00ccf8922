import type { CounterKind } from "@plasm/agent-core";
import type { Kysely } from "kysely";
import type { Tables } from "../schema/tables.ts";

const FIRST: Readonly<Record<CounterKind, number>> = { pc: 0, o: 1, pg: 1, r: 1 };

export async function removeCounters(db: Kysely<Tables>, owner: string): Promise<void> {
  await db.deleteFrom("counters").where("owner", "=", owner).execute();
}

/** Takes the next number of a counter in one statement, so that no two callers get the same. */
export async function nextNumber(
  db: Kysely<Tables>,
  owner: string,
  kind: CounterKind,
): Promise<number> {
  const row = await db
    .insertInto("counters")
    .values({ owner, kind, next: FIRST[kind] + 1 })
    .onConflict((c) =>
      c.columns(["owner", "kind"]).doUpdateSet((e) => ({ next: e("counters.next", "+", 1) })),
    )
    .returning("next")
    .executeTakeFirstOrThrow();
  return row.next - 1;
}
