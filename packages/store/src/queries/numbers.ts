import type { CounterKind } from "@plasm/agent-core";
import type { Kysely } from "kysely";
import type { Tables } from "../schema/tables.ts";
import { fixed } from "./fixed.ts";

const FIRST: Readonly<Record<CounterKind, number>> = { pc: 0, o: 1, pg: 1, r: 1 };

export async function removeCounters(db: Kysely<Tables>, owner: string): Promise<void> {
  await db.deleteFrom("counters").where("owner", "=", owner).execute();
}

const counting = fixed((db, of: { owner: string; kind: CounterKind; second: number }) =>
  db
    .insertInto("counters")
    .values({ owner: of.owner, kind: of.kind, next: of.second })
    .onConflict((c) =>
      c.columns(["owner", "kind"]).doUpdateSet((e) => ({ next: e("counters.next", "+", 1) })),
    )
    .returning("next"),
);

/** Takes the next number of a counter in one statement, so that no two callers get the same. */
export async function nextNumber(
  db: Kysely<Tables>,
  owner: string,
  kind: CounterKind,
): Promise<number> {
  const [row] = (await counting(db, { owner, kind, second: FIRST[kind] + 1 })).rows;
  if (row === undefined) throw new Error("A counter gave no number");
  return row.next - 1;
}
