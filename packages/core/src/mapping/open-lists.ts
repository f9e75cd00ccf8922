import type { Capability, Entity } from "../model/model.ts";
import type { Slot } from "../model/input.ts";
import { capabilitiesOf, keyParts } from "../model/lookups.ts";
import { compareCodePoints } from "../base/text.ts";
import { capabilitySlots } from "./capability-slots.ts";
import type { Catalog, DroppedPart, Pagination, RequestTemplate } from "./template.ts";

/** The kinds of capabilities that answer a collection. */
export type ListKind = "query" | "search";

/** Labels of the list that an entity's name alone means, the clearest first. */
const PLAIN_LABELS: Readonly<Record<ListKind, readonly string[]>> = {
  query: ["query", "list", "all"],
  search: ["search", "find", "query"],
};

/** Whether a label tells a list from no other: it says only that there is one. */
export function isPlainLabel({ kind, label }: Capability): boolean {
  return (kind === "query" || kind === "search") && PLAIN_LABELS[kind].includes(label);
}

/** The slot of searched text: role `search`, else the only required text one, else `q` (RUN-110). */
export function searchSlot(slots: readonly Slot[]): Slot | null {
  const byRole = slots.find((slot) => slot.role === "search");
  if (byRole !== undefined) return byRole;
  const texts = slots.filter((slot) => slot.required && isText(slot));
  if (texts.length === 1) return texts[0] ?? null;
  return slots.find((slot) => slot.name === "q") ?? null;
}

/**
 * Whether a list's parameter is called like the key of the rows that it gives but says whose rows they are: `id`
 * of `/films/{id}/similar`. Conditions on the key do not mean it where a get reads by the key (LANG-027). The rows
 * of a view are made of its scope, and have its key.
 */
export function namesAnotherRow(
  { cgs, cml }: Catalog,
  list: Capability,
  { name, role, required }: Slot,
): boolean {
  const entity = cgs.entities.get(list.entity);
  if (entity === undefined || cml.get(list.name)?.transport === "view") return false;
  const [part, second] = keyParts(entity);
  return required && role === "scope" && name === part && second === undefined;
}

function isText({ input }: Slot): boolean {
  return input.kind === "value" && input.type.kind === "string";
}

/** Whether a list needs no argument, or a search none but its text. */
export function isOpenList(catalog: Catalog, list: Capability): boolean {
  const { slots } = capabilitySlots(catalog, list);
  if (list.kind === "query") return !slots.some(({ required }) => required);
  const text = list.kind === "search" ? searchSlot(slots) : null;
  return text !== null && slots.every((slot) => slot === text || !slot.required);
}

/** The list of a kind that the file names for the entity's name alone, or undefined. */
export function primaryList(entity: Entity, kind: ListKind): string | undefined {
  return kind === "query" ? entity.primaryQuery : entity.primarySearch;
}

/** How well a label says that it is the list: 0 is best. */
function plainness(kind: ListKind, label: string): number {
  const at = PLAIN_LABELS[kind].indexOf(label);
  return at === -1 ? PLAIN_LABELS[kind].length : at;
}

/**
 * The list that an entity's name alone reads, of those of one kind that may be used: the one marked by
 * `primary_query` or `primary_search`, else the plainest label, else the first label (RUN-110, TEACH-15).
 * Null if none is open, or if the one that is meant was left out of the catalog: none takes its place.
 */
export function defaultList(
  catalog: Catalog,
  entity: Entity,
  kind: ListKind,
  usable: readonly Capability[],
): Capability | null {
  if (droppedDefault(catalog, entity, kind) !== null) return null;
  const open = usable.filter((list) => list.kind === kind && isOpenList(catalog, list));
  const marked = primaryList(entity, kind);
  const [first] = open.toSorted(
    (a, b) =>
      Number(b.name === marked) - Number(a.name === marked) ||
      plainness(kind, a.label) - plainness(kind, b.label) ||
      compareCodePoints(a.label, b.label),
  );
  return first ?? null;
}

/** The list that the files mean by an entity's name alone and that was left out, or null. */
export function droppedDefault(
  catalog: Catalog,
  entity: Entity,
  kind: ListKind,
): DroppedPart | null {
  const lists = (catalog.dropped ?? []).filter(
    (each) => each.kind === "capability" && each.entity === entity.name && each.does === kind,
  );
  const marked = primaryList(entity, kind);
  const lost = lists.find(({ name }) => name === marked);
  if (lost !== undefined) return lost;
  if (marked !== undefined && catalog.cgs.capabilities.has(marked)) return null;
  // Whether a list that was left out needs something is not known: it may be the one that is meant.
  const labels = capabilitiesOf(catalog.cgs, entity.name)
    .filter((list) => list.kind === kind && isOpenList(catalog, list))
    .map(({ label }) => label);
  const isFirst = (label: string): boolean =>
    labels.every(
      (other) =>
        plainness(kind, label) - plainness(kind, other) < 0 ||
        (plainness(kind, label) === plainness(kind, other) && compareCodePoints(label, other) < 0),
    );
  return lists.find(({ label }) => label !== undefined && isFirst(label)) ?? null;
}

/** Whether a list has no pages, and says how many rows its answer may have (RUN-201). */
export const isSized = ({ params }: Pagination): boolean =>
  params.some(({ form }) => form === "size");

/** Whether a list goes on after its first response; log queries always do (MAP-054). */
export function isPaged(template: RequestTemplate): boolean {
  switch (template.transport) {
    case "evm_logs":
      return true;
    case "http":
    case "graphql":
      return template.pagination !== undefined && !isSized(template.pagination);
    case "evm_call":
    case "view":
      return false;
  }
}
