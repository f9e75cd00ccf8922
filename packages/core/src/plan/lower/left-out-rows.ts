import { catalogOf } from "../../catalog/federation.ts";
import { listsOnly, unlisted } from "../../check/reads/list-candidates.ts";
import { unlistedCondition } from "../../check/reads/list-problems.ts";
import type { Rows, TypedPred } from "../../check/typed-program.ts";
import type { Draft } from "./rows-graph.ts";
import type { Lowering } from "./lowering.ts";

/**
 * Reports conditions that would be tested without the rows that the list behind them leaves out (RUN-112), wherever they
 * stand behind it; gives whether there were any. Of a limit the rows that it gave are meant.
 */
export function testsLeftOutRows(
  lowering: Lowering,
  { type, span }: Rows,
  source: string,
  conditions: readonly TypedPred[],
): boolean {
  const { context, drafts } = lowering;
  const list = type.entity === null ? null : listBehind(drafts.get(source), (id) => drafts.get(id));
  if (list === null || type.entity === null) return false;
  const { node, read } = list;
  if (!("capability" in node) || node.capability === null) return false;
  const { cgs } = catalogOf(context.exposure.catalogs, node.catalog.entry_id);
  const capability = cgs.capabilities.get(node.capability);
  if (capability?.listsOnly === undefined || capability.entity !== type.entity.entity) return false;
  const isGiven = (name: string): boolean => name in node.args || read?.bound?.has(name) === true;
  const only = listsOnly(capability, isGiven);
  const place = { entity: type.entity, nameSpan: span };
  const found = conditions.flatMap((pred) => unlisted(only, pred) ?? []);
  for (const each of found)
    context.found.add(unlistedCondition(context, place, { capability }, each));
  return found.length > 0;
}

/** The list whose rows a node keeps, all of them; null where there is none. */
function listBehind(from: Draft, draft: (id: string) => Draft): Draft | null {
  let at = from;
  for (;;) {
    const { node } = at;
    if (node.kind === "join") at = draft(node.source);
    else if (node.kind === "compute" && keepsRows(node.op)) at = draft(node.source);
    else if (node.kind === "query" || node.kind === "search" || node.kind === "relation") {
      return node.limit === null ? at : null;
    } else return null;
  }
}

const keepsRows = (op: object): boolean =>
  "filter" in op || "sort" in op || "project" in op || "distinct" in op;
