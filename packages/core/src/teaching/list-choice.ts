import type { Catalog } from "../mapping/catalog.ts";
import { capabilitySlots, sentSlots } from "../mapping/capability-slots.ts";
import { isOpenList, searchSlot } from "../mapping/open-lists.ts";
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
  const text = list.kind === "search" ? searchSlot(slots) : null;
  const conditions = slots.filter((slot) => slot !== text);
  return {
    text,
    required: conditions.filter((slot) => slot.required),
    optional: conditions.filter((slot) => !slot.required && sent.has(slot.name)),
    declared: slots.length,
  };
}

/** Whether a list can be had at all by conditions: each required slot is one its request carries. */
export function isSatisfiable(catalog: Catalog, list: Capability): boolean {
  const sent = sentSlots(catalog, list);
  const { text, required } = listSlots(catalog, list);
  if (list.kind === "search" && text === null) return false;
  return required.every((slot) => sent.has(slot.name));
}

/**
 * Whether the choice of RUN-110 takes `list` when exactly its required slots are given: of lists that
 * need nothing the default; of others the one that binds more required slots than any other of its kind,
 * else has fewer declared ones (TEACH-17).
 */
export function isChosen(
  catalog: Catalog,
  list: Capability,
  others: readonly Capability[],
  defaults: readonly Capability[],
): boolean {
  if (isOpenList(catalog, list) && !defaults.includes(list)) return false;
  const given = new Set(listSlots(catalog, list).required.map((slot) => slot.name));
  const own = rank(catalog, list, given);
  return others.every((other) => {
    if (other === list || !isFitting(catalog, other, given)) return true;
    if (isOpenList(catalog, other) && !defaults.includes(other)) return true;
    return compareRank(own, rank(catalog, other, given)) > 0;
  });
}

function isFitting(catalog: Catalog, list: Capability, given: ReadonlySet<string>): boolean {
  const { required } = listSlots(catalog, list);
  const sent = sentSlots(catalog, list);
  return required.every((slot) => given.has(slot.name) && sent.has(slot.name));
}

type Rank = readonly [required: number, optional: number, fewest: number];

/** What a list binds of given slots; a search is given its text, too. */
function rank(catalog: Catalog, list: Capability, given: ReadonlySet<string>): Rank {
  const { text, required, optional, declared } = listSlots(catalog, list);
  const bound = optional.filter((slot) => given.has(slot.name)).length;
  const needsText = text?.required === true;
  const takesText = text?.required === false;
  return [required.length + Number(needsText), bound + Number(takesText), -declared];
}

function compareRank(a: Rank, b: Rank): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}
