import type { CounterKind, HeldSlot } from "@plasm/agent-core";
import type { Kysely } from "kysely";
import type { Tables } from "../schema/tables.ts";
import { StoreUnavailableError } from "../store-unavailable-error.ts";
import { fixed } from "./fixed.ts";

/** How often a slot taken by another caller in between is looked for again. */
const ATTEMPTS = 20;

const slotFor = fixed((db, of: { principal: string; logicalId: string }) =>
  db
    .selectFrom("slots")
    .select("slot")
    .where("principal", "=", of.principal)
    .where("logical_id", "=", of.logicalId),
);

/** The slot that a logical session holds already, if it holds one. */
export async function heldSlot(
  db: Kysely<Tables>,
  principal: string,
  logicalId: string,
): Promise<number | null> {
  const [row] = (await slotFor(db, { principal, logicalId })).rows;
  return row?.slot ?? null;
}

/** The lowest slot that a principal has free; where there are no gaps, found without reading those that are held. */
async function lowestFree(db: Kysely<Tables>, principal: string): Promise<number> {
  const { held, least, most } = await db
    .selectFrom("slots")
    .select((e) => [
      e.fn.countAll<number | string>().as("held"),
      e.fn.min<number | null>("slot").as("least"),
      e.fn.max<number | null>("slot").as("most"),
    ])
    .where("principal", "=", principal)
    .executeTakeFirstOrThrow();
  if (least !== 0 || most === null) return 0;
  if (Number(held) === most + 1) return most + 1;
  const beforeGap = await db
    .selectFrom("slots as s")
    .select("s.slot")
    .where("s.principal", "=", principal)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("slots as next")
            .select("next.slot")
            .whereRef("next.principal", "=", "s.principal")
            .where((e) => e("next.slot", "=", e("s.slot", "+", 1))),
        ),
      ),
    )
    .orderBy("s.slot")
    .limit(1)
    .executeTakeFirstOrThrow();
  return beforeGap.slot + 1;
}

/** The slot a logical session holds for a principal, the lowest free one on first use (SESS-3). */
export async function slotOf(
  db: Kysely<Tables>,
  principal: string,
  logicalId: string,
): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const known = await heldSlot(db, principal, logicalId);
    if (known !== null) return known;
    const slot = await lowestFree(db, principal);
    const inserted = await db
      .insertInto("slots")
      .values({ principal, slot, logical_id: logicalId })
      .onConflict((c) => c.doNothing())
      .executeTakeFirst();
    if ((inserted.numInsertedOrUpdatedRows ?? 0n) > 0n) return slot;
  }
  throw new StoreUnavailableError("The store is busy: too many sessions are opened at once.", {
    fault: "busy",
  });
}

const atSlot = fixed((db, { principal, slot }: { principal: string; slot: number }) =>
  db
    .selectFrom("slots")
    .select("logical_id")
    .where("principal", "=", principal)
    .where("slot", "=", slot),
);

export async function logicalAtSlot(
  db: Kysely<Tables>,
  principal: string,
  slot: number,
): Promise<string | null> {
  const [row] = (await atSlot(db, { principal, slot })).rows;
  return row?.logical_id ?? null;
}

/** The slots that a principal's sessions hold. */
export async function slotsOf(db: Kysely<Tables>, principal: string): Promise<readonly HeldSlot[]> {
  const rows = await db
    .selectFrom("slots")
    .select(["slot", "logical_id"])
    .where("principal", "=", principal)
    .orderBy("slot")
    .execute();
  return rows.map(({ slot, logical_id: logicalId }) => ({ slot, logicalId }));
}

/** Gives up every principal's slot for a logical session. */
export async function freeSlots(db: Kysely<Tables>, logicalId: string): Promise<void> {
  await db.deleteFrom("slots").where("logical_id", "=", logicalId).execute();
}

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
