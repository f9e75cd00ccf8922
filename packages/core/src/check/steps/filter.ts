import type { And } from "../../language/ast-predicates.ts";
import type { Span } from "../../source/span.ts";
import type { CheckContext } from "../check-context.ts";
import { readConditions } from "../conditions/read-pred.ts";
import { conjuncts } from "../reads/keyed-conditions.ts";
import { keyedRead } from "../reads/keyed-read.ts";
import type { FilterRows, Rows, TypedPred } from "../typed-program.ts";

/** `.filter{…}`, also as `E{…}`, `label{…}` and `.rel{…}` (LANG-029). No conditions, no step. */
export function filterRows(context: CheckContext, source: Rows, pred: And, span: Span): Rows {
  if (pred.items.length === 0) return source;
  const typed = readConditions(context, source.type, pred);
  const card = source.type.card === "one" ? "opt" : source.type.card;
  const filtered: FilterRows = {
    kind: "filter",
    stage: context.stage,
    span,
    type: { ...source.type, card },
    source,
    pred: typed,
  };
  return isOneRow(context, filtered)
    ? { ...filtered, type: { ...source.type, card: "opt" } }
    : filtered;
}

/** Whether the conditions on a list name the whole key of one row (LANG-027, LANG-060). */
function isOneRow(context: CheckContext, filtered: FilterRows): boolean {
  if (filtered.type.card !== "many") return false;
  const conditions: TypedPred[] = [];
  let rows: Rows = filtered;
  while (rows.kind === "filter") {
    conditions.push(rows.pred);
    rows = rows.source;
  }
  if (rows.kind !== "list") return false;
  const keyed = keyedRead(context, rows, conditions.flatMap(conjuncts));
  return keyed !== null && !keyed.each;
}
