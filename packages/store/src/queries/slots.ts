import type { HeldSlot } from "@plasm/agent-core";
import type { Kysely } from "kysely";
import type { Tables } from "../schema/tables.ts";

/** How often a slot taken by another caller in between is looked for again. */
const ATTEMPTS = 20;

async function heldSlot(
  db: Kysely<Tables>,
  principal: string,
  logicalId: string,
): Promise<number | null> {
  const row = await db
    .selectFrom("slots")
    .select("slot")
    .where("principal", "=", principal)
    .where("logical_id", "=", logicalId)
    .executeTakeFirst();
  return row?.slot ?? null;
}

/** The slot a logical session holds for a principal, the lowest free one on first use (SESS-3). */
export async function slotOf(
  db: Kysely<Tables>,
  principal: string,
  logicalId: string,
): Promise<number> {
  const known = await heldSlot(db, principal, logicalId);
  if (known !== null) return known;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const taken = await db
      .selectFrom("slots")
      .select(["slot", "logical_id"])
      .where("principal", "=", principal)
      .orderBy("slot")
      .execute();
    const held = taken.find((row) => row.logical_id === logicalId);
    if (held !== undefined) return held.slot;
    const gap = taken.findIndex((row, index) => row.slot !== index);
    const slot = gap === -1 ? taken.length : gap;
    await db
      .insertInto("slots")
      .values({ principal, slot, logical_id: logicalId })
      .onConflict((c) => c.doNothing())
      .execute();
  }
  throw new Error("No slot could be allotted: too many concurrent openings");
}

export async function logicalAtSlot(
  db: Kysely<Tables>,
  principal: string,
  slot: number,
): Promise<string | null> {
  const row = await db
    .selectFrom("slots")
    .select("logical_id")
    .where("principal", "=", principal)
    .where("slot", "=", slot)
    .executeTakeFirst();
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
