import type { And, Pred } from "../../language/grammar/ast-values.ts";
import type { Span } from "../../base/span.ts";
import type { CheckContext } from "../check-context.ts";
import { joinedRows, typedPredPaths } from "../columns/joined-rows.ts";
import { type Join, joinsOf } from "../columns/row-columns.ts";
import { readConditions, rebasedPred, writtenConjuncts } from "../conditions/read-pred.ts";
import { noteContradictions } from "../conditions/contradictions.ts";
import type {
  FilterRows,
  ForeignCondition,
  JoinRows,
  ListRows,
  Rows,
  TypedPred,
} from "../typed-program.ts";
import { cellTotals, predValues, readsTotals } from "../values/typed-parts.ts";
import { DiagnosticCollector } from "../../diagnostics/diagnostic.ts";
import { entityRows } from "../types.ts";
import { entityOf } from "../../catalog/federation.ts";
import { keyParts } from "../../model/lookups.ts";
import { conjuncts, isEquality, isReadByKey } from "../reads/choose-list.ts";
import { isTestable } from "../reads/list-candidates.ts";

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
    predValues(each.typed).some(readsTotals) ||
    typedPredPaths(each.typed).some((path) => joinsOf(context, source.type, path).length > 0);
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
    joinedRows(
      context,
      source,
      preds.flatMap(typedPredPaths),
      preds.flatMap(predValues).flatMap(cellTotals),
    ),
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

/** A condition as it was written and as it was understood. */
interface WrittenCondition {
  readonly written: Pred;
  readonly typed: TypedPred;
}

/** The reference whose row all columns of a condition are fields of; null if there is no such one. */
function referenceOf(context: CheckContext, source: Rows, pred: TypedPred): Join | null {
  if (predValues(pred).some(readsTotals)) return null;
  const paths = typedPredPaths(pred);
  const joins = paths.map((path) => joinsOf(context, source.type, path));
  const [join] = joins[0] ?? [];
  if (join === undefined || join.path.length > 1 || join.reading.via !== "ref") return null;
  const [name] = join.path;
  const isOwn = joins.every((each) => each.length === 1 && each[0]?.path[0] === name);
  return isOwn ? join : null;
}

/** The conditions on whole rows that a list of the referenced entity might take (RUN-114). */
function foreignConditions(
  context: CheckContext,
  source: Rows,
  conditions: readonly WrittenCondition[],
): readonly ForeignCondition[] {
  if (source.type.columns !== null) return [];
  return conditions.flatMap(({ written, typed }): readonly ForeignCondition[] => {
    const join = referenceOf(context, source, typed);
    const [name] = join?.path ?? [];
    if (join === null || name === undefined) return [];
    // What is wrong with the condition was reported where it was read first.
    const found = new DiagnosticCollector();
    const { target } = join;
    const and = {
      kind: "And",
      items: [rebasedPred(context, written)],
      span: written.span,
    } as const;
    const read = readConditions({ ...context, found, notes: [] }, entityRows(target, "many"), and);
    return found.size > 0 ? [] : [{ pred: typed, name, target, rebased: read }];
  });
}

/** What the filters over a list say of its key, up to one of them. */
interface KeyTold {
  readonly list: ListRows;
  /** parts of the key that no condition names yet */
  readonly missing: readonly string[];
  /** whether every other condition can be tested on a row */
  readonly testable: boolean;
}

/** Of each filter once: what filters of a long chain say together is not gathered at every one anew. */
const told = new WeakMap<FilterRows, KeyTold | null>();

/**
 * Whether the conditions on a list, of this filter and those below it, name the whole key of one row
 * (LANG-027, LANG-060). It costs what the filter's own conditions cost, however many there are below.
 */
export function namesOneRow(context: CheckContext, rows: FilterRows): boolean {
  if (rows.type.card !== "many" || rows.overJoin) return false;
  const known = keyTold(context, rows);
  if (known === null || known.missing.length > 0 || !known.testable) return false;
  return isReadByKey(context, known.list);
}

function keyTold(context: CheckContext, top: FilterRows): KeyTold | null {
  const chain: FilterRows[] = [];
  let at: Rows = top;
  while (at.kind === "filter" && !told.has(at)) {
    chain.push(at);
    at = at.source;
  }
  let known = at.kind === "filter" ? (told.get(at) ?? null) : untold(context, at);
  for (const each of chain.toReversed()) {
    known = known === null ? null : withConditions(known, each);
    told.set(each, known);
  }
  return known;
}

const untold = (context: CheckContext, rows: Rows): KeyTold | null =>
  rows.kind === "list"
    ? {
        list: rows,
        missing: keyParts(entityOf(context.exposure.catalogs, rows.entity)),
        testable: true,
      }
    : null;

function withConditions(known: KeyTold, { pred }: FilterRows): KeyTold {
  let { missing, testable } = known;
  for (const condition of conjuncts(pred)) {
    const part = missing.find((name) => isEquality(condition, name));
    if (part === undefined) testable &&= isTestable(condition);
    else missing = missing.filter((name) => name !== part);
  }
  return { list: known.list, missing, testable };
}
