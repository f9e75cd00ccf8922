import type { CheckContext } from "../check-context.ts";
import type { Rows, TotalValue, TypedPred } from "../typed-program.ts";
import { cellPaths } from "../values/typed-parts.ts";
import { type Join, joinsOf } from "./row-columns.ts";

/**
 * The rows with what their paths need fetched: a join per to-one step, each once (LANG-064), and one for each set of
 * related rows of which something is asked (LANG-055).
 */
export function joinedRows(
  context: CheckContext,
  source: Rows,
  paths: readonly (readonly string[])[],
  totals: readonly TotalValue[] = [],
): Rows {
  let rows = source;
  const sets = new Map<string, TotalValue[]>();
  for (const total of totals) {
    const name = rowsAsked(total);
    sets.set(name, [...(sets.get(name) ?? []), total]);
  }
  for (const asked of sets.values()) rows = withTotals(context, rows, asked);
  for (const path of paths) {
    for (const join of joinsOf(context, source.type, path)) {
      if (!isJoined(rows, join)) rows = withJoin(context, rows, join);
    }
  }
  return rows;
}

/** The same relation under the same conditions leads to the same rows. */
const rowsAsked = ({ related }: TotalValue): string => `${related.relation} ${related.text}`;

function withTotals(context: CheckContext, source: Rows, totals: readonly TotalValue[]): Rows {
  const [first] = totals;
  if (first === undefined) return source;
  const { relation, target, reading } = first.related;
  const { stage } = context;
  const join = { path: [relation], target, reading, totals };
  return { kind: "join", stage, span: source.span, type: source.type, source, ...join };
}

function withJoin(context: CheckContext, source: Rows, join: Join): Rows {
  const { stage } = context;
  return { kind: "join", stage, span: source.span, type: source.type, source, ...join };
}

/** Whether rows carry a join already, through steps that leave them whole. */
function isJoined(rows: Rows, { path }: Join): boolean {
  let at = rows;
  for (;;) {
    switch (at.kind) {
      case "join":
        if (at.totals === undefined && at.path.join(".") === path.join(".")) return true;
        at = at.source;
        break;
      case "filter":
      case "limit":
      case "page_size":
      case "sort":
      case "distinct":
      case "singleton":
        at = at.source;
        break;
      case "project":
      case "aggregate":
      case "group_by":
      case "pair":
      case "render":
      case "derive":
      case "for_each":
      case "effect":
      case "data":
      case "list":
      case "get":
      case "relation":
        return false;
    }
  }
}

/** The columns a condition reads. */
export function typedPredPaths(pred: TypedPred): readonly (readonly string[])[] {
  switch (pred.kind) {
    case "and":
    case "or":
      return pred.items.flatMap(typedPredPaths);
    case "not":
      return typedPredPaths(pred.pred);
    case "exists":
      return [pred.path];
    case "condition":
      return [pred.path, ...(pred.tested === null ? [] : cellPaths(pred.tested))];
    case "test":
      return cellPaths(pred.value);
    case "bad":
      return [];
  }
}
