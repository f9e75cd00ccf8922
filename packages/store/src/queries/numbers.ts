import type { CounterKind, HeldSlot } from "@plasm/agent-core";
import { type Kysely, sql } from "kysely";
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

/** The counter that notes below which slot all are held: what is free is looked for from there. */
const FREE_FROM = "free slot";

interface FreeFrom {
  readonly owner: string;
  readonly kind: typeof FREE_FROM;
  readonly next: number;
}

/** No principal's sessions have numbers under it: their owners are ids. */
const ownerOfSlots = (principal: string): string => `slots of ${principal}`;

const freeFrom = fixed((db, of: Omit<FreeFrom, "next">) =>
  db
    .selectFrom("counters")
    .select("next")
    .where("owner", "=", of.owner)
    .where("kind", "=", of.kind),
);

const heldAt = fixed((db, of: { principal: string; slot: number }) =>
  db
    .selectFrom("slots")
    .select("slot")
    .where("principal", "=", of.principal)
    .where("slot", "=", of.slot),
);

/** The last of the slots from one on that are held without a gap. */
const beforeGap = fixed((db, of: { principal: string; from: number; step: number }) =>
  db
    .selectFrom("slots as s")
    .select("s.slot")
    .where("s.principal", "=", of.principal)
    .where("s.slot", ">=", of.from)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("slots as next")
            .select("next.slot")
            .whereRef("next.principal", "=", "s.principal")
            .where((e) => e("next.slot", "=", e("s.slot", "+", of.step))),
        ),
      ),
    )
    .orderBy("s.slot")
    .limit(sql.lit(1)),
);

/** The lowest slot that a principal has free, and from where it was looked for; null where nothing is noted. */
async function lowestFree(
  db: Kysely<Tables>,
  principal: string,
): Promise<{ readonly slot: number; readonly from: number | null }> {
  const owner = ownerOfSlots(principal);
  const [noted] = (await freeFrom(db, { owner, kind: FREE_FROM })).rows;
  const from = noted?.next ?? 0;
  const isHeld = (await heldAt(db, { principal, slot: from })).rows.length > 0;
  if (!isHeld) return { slot: from, from: noted?.next ?? null };
  const [last] = (await beforeGap(db, { principal, from, step: 1 })).rows;
  if (last === undefined) throw new Error("Slots without an end");
  return { slot: last.slot + 1, from: noted?.next ?? null };
}

const noting = fixed((db, of: FreeFrom) =>
  db
    .insertInto("counters")
    .values({ owner: of.owner, kind: of.kind, next: of.next })
    .onConflict((c) => c.columns(["owner", "kind"]).doNothing()),
);

const raising = fixed((db, of: FreeFrom & { from: number }) =>
  db
    .updateTable("counters")
    .set({ next: of.next })
    .where("owner", "=", of.owner)
    .where("kind", "=", of.kind)
    .where("next", "=", of.from),
);

/** All slots up to this one are held. What was freed meanwhile stays noted. */
async function noteHeld(
  db: Kysely<Tables>,
  principal: string,
  slot: number,
  from: number | null,
): Promise<void> {
  const note: FreeFrom = { owner: ownerOfSlots(principal), kind: FREE_FROM, next: slot + 1 };
  await (from === null ? noting(db, note) : raising(db, { ...note, from }));
}

const lowering = fixed((db, of: FreeFrom) =>
  db
    .updateTable("counters")
    .set({ next: of.next })
    .where("owner", "=", of.owner)
    .where("kind", "=", of.kind)
    .where("next", ">", of.next),
);

/** The slot a logical session holds for a principal, the lowest free one on first use (SESS-3). */
export async function slotOf(
  db: Kysely<Tables>,
  principal: string,
  logicalId: string,
): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const known = await heldSlot(db, principal, logicalId);
    if (known !== null) return known;
    const { slot, from } = await lowestFree(db, principal);
    const inserted = await db
      .insertInto("slots")
      .values({ principal, slot, logical_id: logicalId })
      .onConflict((c) => c.doNothing())
      .executeTakeFirst();
    if ((inserted.numInsertedOrUpdatedRows ?? 0n) === 0n) continue;
    await noteHeld(db, principal, slot, from);
    return slot;
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
export async function heldSlots(
  db: Kysely<Tables>,
  principal: string,
): Promise<readonly HeldSlot[]> {
  const rows = await db
    .selectFrom("slots")
    .select(["slot", "logical_id"])
    .where("principal", "=", principal)
    .orderBy("slot")
    .execute();
  return rows.map(({ slot, logical_id: logicalId }) => ({ slot, logicalId }));
}

const someSlot = fixed((db, { principal }: { principal: string }) =>
  db.selectFrom("slots").select("slot").where("principal", "=", principal).limit(sql.lit(1)),
);

/** Gives up every principal's slot for a logical session. */
export async function freeSlots(db: Kysely<Tables>, logicalId: string): Promise<void> {
  const freed = await db
    .deleteFrom("slots")
    .where("logical_id", "=", logicalId)
    .returning(["principal", "slot"])
    .execute();
  for (const { principal, slot } of freed) {
    const owner = ownerOfSlots(principal);
    if ((await someSlot(db, { principal })).rows.length === 0) await removeCounters(db, owner);
    else await lowering(db, { owner, kind: FREE_FROM, next: slot });
  }
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
