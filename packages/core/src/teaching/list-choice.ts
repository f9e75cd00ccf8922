import type { Catalog } from "../mapping/catalog.ts";
import { capabilitySlots, sentSlots } from "../mapping/capability-slots.ts";
import type { Capability } from "../schema/capability.ts";
import type { Slot } from "../schema/input.ts";

/** What a list takes as conditions, and the slot that takes the searched text (RUN-110). */
export interface ListSlots {
  readonly text: Slot | null;
  readonly required: readonly Slot[];
  readonly optional: readonly Slot[];
  readonly declared: number;
}

/** The slots of a query or search that its request really carries (MAP-004, RUN-111). */
export function listSlots(catalog: Catalog, list: Capability): ListSlots {
  const { slots } = capabilitySlots(catalog, list);
  const sent = sentSlots(catalog, list);
  const text = list.kind === "search" ? textSlot(slots) : null;
  const conditions = slots.filter((slot) => slot !== text);
  return {
    text,
    required: conditions.filter((slot) => slot.required),
    optional: conditions.filter((slot) => !slot.required && sent.has(slot.name)),
    declared: slots.length,
  };
}

/** The slot of the searched text: role `search`, else the only required text one, else `q` (RUN-110). */
function textSlot(slots: readonly Slot[]): Slot | null {
  const byRole = slots.find((slot) => slot.role === "search");
  if (byRole !== undefined) return byRole;
  const texts = slots.filter((slot) => slot.required && isText(slot));
  if (texts.length === 1) return texts[0] ?? null;
  return slots.find((slot) => slot.name === "q") ?? null;
}

function isText({ input }: Slot): boolean {
  return input.kind === "value" && input.type.kind === "string";
}

/** Whether a list can be had at all by conditions: each required slot is one its request carries. */
export function isSatisfiable(catalog: Catalog, list: Capability): boolean {
  const sent = sentSlots(catalog, list);
  const { text, required } = listSlots(catalog, list);
  if (list.kind === "search" && text === null) return false;
  return required.every((slot) => sent.has(slot.name));
}

/**
 * Whether the choice of RUN-110 takes `list` when exactly its required slots are given: it must bind
 * more required slots than any other list of its kind, else have fewer declared ones (TEACH-17).
 */
export function isChosen(
  catalog: Catalog,
  list: Capability,
  others: readonly Capability[],
): boolean {
  const given = new Set(listSlots(catalog, list).required.map((slot) => slot.name));
  const own = rank(catalog, list, given);
  return others.every((other) => {
    if (other.name === list.name || !isFitting(catalog, other, given)) return true;
    return compareRank(own, rank(catalog, other, given)) > 0;
  });
}

function isFitting(catalog: Catalog, list: Capability, given: ReadonlySet<string>): boolean {
  const { required } = listSlots(catalog, list);
  const sent = sentSlots(catalog, list);
  return required.every((slot) => given.has(slot.name) && sent.has(slot.name));
}

type Rank = readonly [required: number, optional: number, fewest: number];

function rank(catalog: Catalog, list: Capability, given: ReadonlySet<string>): Rank {
  const { required, optional, declared } = listSlots(catalog, list);
  const bound = optional.filter((slot) => given.has(slot.name)).length;
  return [required.length, bound, -declared];
}

function compareRank(a: Rank, b: Rank): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}
