import type { CheckContext } from "../../check/check-context.ts";
import type { ListCandidate } from "../../check/reads/list-candidates.ts";
import type { LimitRows, ListRows, Rows, SortRows } from "../../check/typed-program.ts";
import { catalogOf } from "../../catalog/federation.ts";
import { sentSlots } from "../../mapping/capability-slots.ts";
import { declaredSlotType } from "../../model/input.ts";
import { providedFields, sortsAlike } from "../../model/lookups.ts";
import type { Capability } from "../../model/model.ts";
import { onlyUse, type Uses } from "./rows-graph.ts";
import type { PlanValue } from "../ir.ts";

/** The first rows of a read by one column, and nothing else of it. */
export interface FirstRows {
  readonly sort: SortRows;
  readonly column: string;
  readonly desc: boolean;
  readonly first: number;
}

/** What stands behind a read if that is a sort by one of its own columns and a limit, each the only use of what is before it. */
export function firstRows(uses: Uses, top: Rows): FirstRows | null {
  const sort = onlyUse(uses, top);
  if (sort?.kind !== "sort" || sort.source !== top) return null;
  const [key, second] = sort.keys;
  if (key === undefined || second !== undefined || !Array.isArray(key.path)) return null;
  const [column, further] = key.path as readonly string[];
  const limit = limitBehind(uses, sort);
  if (column === undefined || further !== undefined || limit === null) return null;
  return { sort, column, desc: key.desc, first: limit.n };
}

function limitBehind(uses: Uses, sort: SortRows): LimitRows | null {
  let at: Rows = sort;
  let next = onlyUse(uses, at);
  while (next?.kind === "page_size" && next.source === at) {
    at = next;
    next = onlyUse(uses, next);
  }
  return next?.kind === "limit" && next.source === at ? next : null;
}

/**
 * The arguments by which a list gives its rows in an order (CAT-144, RUN-078); null where it does not, or where the
 * program gives one of them itself.
 */
export function orderArguments(
  { exposure }: CheckContext,
  { entity }: ListRows,
  { capability, args, local, each }: ListCandidate,
  { column, desc }: FirstRows,
): Readonly<Record<string, PlanValue>> | null {
  const { sort } = capability;
  const word = sort?.columns.get(column)?.[desc ? "descending" : "ascending"];
  if (sort === undefined || word === undefined || each !== null) return null;
  // Of rows of which few pass a condition, few would say whether the API keeps to the order.
  if (local.length > 0) return null;
  const catalog = catalogOf(exposure.catalogs, entity.entryId);
  const { cgs } = catalog;
  const type = cgs.entities.get(entity.entity)?.fields.get(column)?.type;
  if (type === undefined || !sortsAlike(type)) return null;
  if (!providedFields(cgs, capability).includes(column)) return null;
  const { param, direction } = sort;
  const sent = sentSlots(catalog, capability);
  if (!sent.has(param) || (direction !== undefined && !sent.has(direction.param))) return null;
  if (args.has(param) || (direction !== undefined && args.has(direction.param))) return null;
  const said = (name: string, text: string): PlanValue => ({ lit: wordOf(capability, name, text) });
  if (direction === undefined) return { [param]: said(param, word) };
  const way = desc ? direction.descending : direction.ascending;
  return { [param]: said(param, word), [direction.param]: said(direction.param, way) };
}

/** What a parameter takes for a word of the catalog: of one that is on or off, that. */
function wordOf({ parameters }: Capability, name: string, word: string): string | boolean {
  const slot = parameters.find((each) => each.name === name);
  const isFlag = slot !== undefined && declaredSlotType(slot)?.kind === "boolean";
  return isFlag ? word === "true" : word;
}
