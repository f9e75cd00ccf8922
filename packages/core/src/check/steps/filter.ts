import type { And } from "../../language/ast-predicates.ts";
import type { Span } from "../../source/span.ts";
import type { CheckContext } from "../check-context.ts";
import { joinedRows, predPaths } from "../columns/joined-rows.ts";
import { joinsOf } from "../columns/joins.ts";
import { writtenConjuncts } from "../conditions/rebase-pred.ts";
import { noteContradictions } from "../conditions/contradictions.ts";
import { readConditions } from "../conditions/read-pred.ts";
import { namesOneRow } from "../reads/names-one-row.ts";
import type { FilterRows, JoinRows, Rows, TypedPred } from "../typed-program.ts";
import { foreignConditions, type WrittenCondition } from "./foreign-conditions.ts";

/**
 * `.filter{…}`, also as `E{…}`, `label{…}` and `.rel{…}` (LANG-029). No conditions, no step. What
 * reads fields of other entities is tested behind the joins, the rest stays next to the read.
 */
export function filterRows(context: CheckContext, source: Rows, pred: And, span: Span): Rows {
  if (pred.items.length === 0) return source;
  const items = writtenConjuncts(pred);
  const read = readConditions(context, source.type, { ...pred, items });
  const typed = read.kind === "and" ? read.items : [read];
  const conditions = items.flatMap((written, at): WrittenCondition[] => {
    const each = typed[at];
    return each === undefined ? [] : [{ written, typed: each }];
  });
  const isForeign = (each: WrittenCondition): boolean =>
    predPaths(each.typed).some((path) => joinsOf(context, source.type, path).length > 0);
  const own = conditions.filter((each) => !isForeign(each)).map(({ typed: each }) => each);
  const foreign = conditions.filter(isForeign);
  const tested = own.length === 0 ? source : besideRead(context, source, own, span);
  const rows = foreign.length === 0 ? tested : foreignFiltered(context, tested, foreign, span);
  noteContradictions(context, rows);
  return rows;
}

/** Tests fields of other entities behind joins; foreign identities may be sent in their place (RUN-114). */
function foreignFiltered(
  context: CheckContext,
  source: Rows,
  conditions: readonly WrittenCondition[],
  span: Span,
): Rows {
  const preds = conditions.map(({ typed }) => typed);
  const rows = filtered(
    context,
    joinedRows(context, source, preds.flatMap(predPaths)),
    preds,
    span,
  );
  const foreign = foreignConditions(context, source, conditions);
  return foreign.length === 0 ? rows : { ...rows, foreign };
}

/** Adds conditions below the joins and the filters that need them: adjacent filters are one. */
function besideRead(
  context: CheckContext,
  source: Rows,
  conditions: readonly TypedPred[],
  span: Span,
): Rows {
  const above: (FilterRows | JoinRows)[] = [];
  let at = source;
  while (isForeignPart(at)) {
    above.push(at);
    at = at.source;
  }
  return above.reduceRight<Rows>(
    (rows, step) => {
      return { ...step, source: rows, type: { ...step.type, card: rows.type.card } };
    },
    filtered(context, at, conditions, span),
  );
}

/** A join for a condition, or a filter over one. */
const isForeignPart = (rows: Rows): rows is FilterRows | JoinRows =>
  rows.kind === "join" || (rows.kind === "filter" && rows.overJoin);

function filtered(
  context: CheckContext,
  source: Rows,
  items: readonly TypedPred[],
  span: Span,
): FilterRows {
  const card = source.type.card === "one" ? "opt" : source.type.card;
  const { stage } = context;
  const type = { ...source.type, card };
  const pred = { kind: "and", items } as const;
  const overJoin = isForeignPart(source);
  const rows: FilterRows = { kind: "filter", stage, span, type, source, pred, overJoin };
  return namesOneRow(context, rows) ? { ...rows, type: { ...type, card: "opt" } } : rows;
}
