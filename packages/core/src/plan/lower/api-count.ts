import { accessTo } from "../../check/access.ts";
import type { CheckContext } from "../../check/check-context.ts";
import { type ListCandidate, listsOnly } from "../../check/reads/list-candidates.ts";
import type { AggregateRows } from "../../check/typed-program.ts";
import { isControl } from "../../check/types.ts";
import { catalogOf, type EntityKey } from "../../catalog/federation.ts";
import { capabilitySlots, sentSlots } from "../../mapping/capability-slots.ts";
import { isPageName } from "../../mapping/page-names.ts";
import type { Catalog } from "../../mapping/template.ts";
import type { Slot } from "../../model/input.ts";
import type { Capability } from "../../model/model.ts";
import type { ListNode } from "../ir.ts";
import { type Lowering, resultType } from "./lowering.ts";

/** What a list gives whose rows the API counts (RUN-079). */
export const COUNTED: Pick<ListNode, "count" | "result"> = {
  count: true,
  result: { card: "one", entity: null, columns: [["count", "integer"]] },
};

/**
 * Whether the API says how many rows there are for what a list is sent (CAT-145): all conditions are sent, none of the
 * arguments is of a page or an order, and what is asked in its place takes them all, those that a relation binds
 * (`anchored`) included.
 */
export function isCountable(
  context: CheckContext,
  { entryId }: EntityKey,
  { capability, args, local, each }: ListCandidate,
  anchored: Iterable<string> = [],
): boolean {
  const { count } = capability;
  if (count === undefined || local.length > 0 || each !== null) return false;
  const catalog = catalogOf(context.exposure.catalogs, entryId);
  const paging = pagingNames(catalog, capability);
  const { slots } = capabilitySlots(catalog, capability);
  const controls = new Set(slots.filter(isControl).map(({ name }) => name));
  const names = [...args.keys()];
  if (names.some((name) => controls.has(name) || paging.has(name) || isPageName(name)))
    return false;
  if (!("capability" in count)) return true;
  const counting = catalog.cgs.capabilities.get(count.capability);
  if (counting === undefined || accessTo(context, entryId, counting) !== "allowed") return false;
  // It counts rows that the list leaves out.
  const asked = [...names, ...anchored];
  if (listsOnly(capability, (name) => asked.includes(name)).size > 0) return false;
  const sent = sentSlots(catalog, counting);
  const typeOf = (slots: readonly Slot[], name: string): string =>
    JSON.stringify(slots.find((slot) => slot.name === name)?.input);
  const own = capabilitySlots(catalog, counting).slots;
  return asked.every((name) => sent.has(name) && typeOf(slots, name) === typeOf(own, name));
}

/** The parameters by which a list's pages are asked for. */
function pagingNames({ cml }: Catalog, { name }: Capability): ReadonlySet<string> {
  const template = cml.get(name);
  const pagination = template !== undefined && "pagination" in template && template.pagination;
  return new Set(pagination ? pagination.params.map((param) => param.name) : []);
}

/** The counts of a step, each the one that the API gave. */
export function lowerCount(lowering: Lowering, rows: AggregateRows): string {
  const source = lowering.idOf(rows.source);
  const columns = rows.aggs.map(({ as }) => [as, { row: ["count"], type: "integer" }] as const);
  const result = resultType(lowering.exposure, rows.type);
  return lowering.drafts.add(
    { id: "", kind: "derive", effect_class: "local", stage: rows.stage, source, columns, result },
    [source],
    rows,
  );
}
