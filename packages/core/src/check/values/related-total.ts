import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { DiagnosticCollector } from "../../diagnostics/diagnostic.ts";
import { expressionMessages } from "../../diagnostics/expression-messages.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import { spanIn } from "../../base/source.ts";
import { clip } from "../../base/text.ts";
import type {
  And,
  ConstructorValue,
  Name,
  Path,
  RelatedValue,
  WordValue,
} from "../../language/grammar/ast-values.ts";
import { type CheckContext, programText } from "../check-context.ts";
import { columnMeaning, joinsOf } from "../columns/row-columns.ts";
import { typedPredPaths } from "../columns/joined-rows.ts";
import { resolvePath } from "../columns/resolve-path.ts";
import { unreadableColumn } from "../columns/unknown-column.ts";
import { wireName } from "../names/name-formatter.ts";
import { navigableNames, navigation } from "../relations/relation-reading.ts";
import { relationProblem } from "../relations/relation-problem.ts";
import type { EntityKey } from "../../catalog/federation.ts";
import { entityRows, type RowType, typeText } from "../types.ts";
import type { Related, TotalFunction, TypedPred, TypedValue } from "../typed-program.ts";
import { mayBeList } from "../../values/value-type.ts";
import { type Expression, expressionOf, faulty, plain } from "./expression-parts.ts";
import { isSummed } from "./function-table.ts";
import { CURSOR, wordPath } from "./reference-value.ts";
import { predValues, readsCursor, readsTotals } from "./typed-parts.ts";

/** What each function of values comes to over related rows; the others take values alone. */
const TOTALS: Readonly<Record<string, TotalFunction>> = {
  count: "count",
  length: "count",
  exists: "exists",
  sum: "sum",
  avg: "avg",
  min: "min",
  max: "max",
};

/**
 * `count(_.orders)`, `sum(orders{state=open}.total)`: what the rows of a relation to many come to, of the row at hand
 * (LANG-055). Null where the call is no such thing; then nothing was reported.
 */
export function readTotal(context: CheckContext, call: ConstructorValue): Expression | null {
  const fn = Object.hasOwn(TOTALS, call.name.text) ? TOTALS[call.name.text] : undefined;
  const [arg] = call.args;
  if (fn === undefined || arg === undefined || call.args.length > 1) return null;
  const { value } = arg;
  if (value.kind !== "WordValue" && value.kind !== "RelatedValue") return null;
  const start = startOf(context, value, fn);
  if (start === null) {
    const problem = unmarkedRelation(context, value) ?? noRelation(context, value);
    return problem === null ? null : faulty(problem);
  }
  const named = twoMeanings(context, value, start);
  if (named !== null) return faulty(named);
  const { problem, related } = readRelated(context, value, start);
  if (problem !== null || related === null) return faulty(...(problem ?? []));
  return totalOf(context, call, fn, related, start);
}

/** `count(orders)` where `orders` is a relation and a label: nobody can know which is meant. */
function twoMeanings(
  context: CheckContext,
  value: WordValue | RelatedValue,
  { at }: Start,
): Diagnostic | null {
  const word = value.kind === "WordValue" ? value : value.relation;
  const [head = ""] = word.raw.split(".", 1);
  if (at !== "cell" || head === CURSOR || context.labels.peek(head) === null) return null;
  return diagnose(expressionMessages.twoMeanings, word.span, { name: word.raw });
}

/** Rows that are no value, with the functions that make one of them. */
export function rowsAsValue(context: CheckContext, value: RelatedValue): Expression {
  const shown = clip(programText(context, value.span), 60);
  const args = { rows: shown, count: `count(${shown})`, exists: `exists(${shown})` };
  return faulty(diagnose(expressionMessages.rowsAsValue, value.span, args));
}

/** A relation of the row at hand, as a value names it. */
interface Start {
  readonly at: "cursor" | "cell";
  readonly rows: RowType;
  readonly name: Name;
  /** what follows the relation's name: a column of its rows */
  readonly rest: readonly Name[];
}

/** The relation to many that a word names; null if it names none. */
function startOf(
  context: CheckContext,
  value: WordValue | RelatedValue,
  fn: TotalFunction,
): Start | null {
  const word = value.kind === "WordValue" ? value : value.relation;
  const [head = ""] = word.raw.split(".", 1);
  const { columns, cursor } = context;
  const isCell = columns !== null && (head !== CURSOR || cursor === null);
  const rows = isCell ? columns.type : head === CURSOR ? cursor?.rows.type : undefined;
  const path = wordPath(context, word, head === CURSOR ? 1 : 0);
  const [name, ...rest] = path?.segments ?? [];
  if (rows === undefined || name === undefined || rows.entity === null) return null;
  const wire = wireName(context.exposure.symbols, name.text);
  const column = columnMeaning(context.exposure, rows, wire);
  // A field goes before a relation of its name (LANG-024), unless no list could be meant by it; conditions in braces mean rows.
  const isAlone = value.kind === "WordValue" && rest.length === 0;
  const isField =
    column.kind === "column" &&
    value.kind === "WordValue" &&
    ((isAlone && fn === "exists") || mayBeList(column.type.type));
  if (isField || (column.kind !== "column" && column.kind !== "relation")) return null;
  if (navigation(context, rows.entity, wire)?.cardinality !== "many") return null;
  const further = value.kind === "RelatedValue" ? value.column : [];
  return { at: isCell ? "cell" : "cursor", rows, name, rest: [...rest, ...further] };
}

/** `count(orders)` after `=>`, where relations of the row at hand have `_.` in front; null if it is something else. */
function unmarkedRelation(
  context: CheckContext,
  value: WordValue | RelatedValue,
): Diagnostic | null {
  const { relation } = value.kind === "RelatedValue" ? value : { relation: value };
  const { columns, cursor } = context;
  if (columns !== null || cursor === null || relation.raw.startsWith("_")) return null;
  if (context.labels.peek(relation.raw.split(".", 1)[0] ?? "") !== null) return null;
  const meant: WordValue = { ...relation, raw: `${CURSOR}.${relation.raw}` };
  if (startOf(context, meant, "count") === null) return null;
  const span = spanIn(context.source, relation.span.start, relation.span.start);
  const args = { found: clip(relation.raw, 60), fix: `write ${clip(meant.raw, 60)}` };
  return diagnose(expressionMessages.noRelation, relation.span, args, [
    { span, replacement: `${CURSOR}.` },
  ]);
}

function noRelation(context: CheckContext, value: WordValue | RelatedValue): Diagnostic | null {
  if (value.kind === "WordValue") return null;
  const { relation } = value;
  const isCursor = context.columns === null && context.cursor !== null;
  const rows = (isCursor ? context.cursor?.rows.type : context.columns?.type) ?? null;
  const many = rows === null || rows.entity === null ? [] : relationsToMany(context, rows.entity);
  const fix =
    many.length === 0
      ? "these rows have none: read the other rows in a line of their own"
      : `name one of them: ${clip(many.map((each) => (isCursor ? `${CURSOR}.${each}` : each)).join(", "), 120)}`;
  const args = { found: clip(relation.raw, 60), fix };
  return diagnose(expressionMessages.noRelation, relation.span, args);
}

function relationsToMany(context: CheckContext, owner: EntityKey): readonly string[] {
  return navigableNames(context, owner).filter(
    (name) => navigation(context, owner, name)?.cardinality === "many",
  );
}

interface RelatedReading {
  readonly related: Related | null;
  readonly problem: readonly Diagnostic[] | null;
}

function readRelated(
  context: CheckContext,
  value: WordValue | RelatedValue,
  { name, rows }: Start,
): RelatedReading {
  const wire = wireName(context.exposure.symbols, name.text);
  const to = rows.entity === null ? null : navigation(context, rows.entity, wire);
  if (to === null || rows.entity === null) return { related: null, problem: [] };
  const lost = relationProblem(context, rows.entity, name, to);
  if (lost !== null || to.reading === null) {
    return { related: null, problem: lost === null ? [] : [lost] };
  }
  const pred = value.kind === "RelatedValue" ? value.pred : null;
  const conditions =
    pred === null ? null : readRelatedConditions(context, pred, entityRows(to.target, "many"));
  if (conditions !== null && conditions.problems.length > 0) {
    return { related: null, problem: conditions.problems };
  }
  const related: Related = {
    owner: rows.entity,
    target: to.target,
    relation: to.name,
    reading: to.reading,
    pred: conditions?.pred ?? null,
    text: pred === null ? "" : programText(context, pred.span),
    nameSpan: name.span,
  };
  return { related, problem: null };
}

/** Conditions on related rows: on their own columns, and on nothing that is read for them (LANG-055). */
function readRelatedConditions(
  context: CheckContext,
  pred: And,
  rows: RowType,
): { readonly pred: TypedPred; readonly problems: readonly Diagnostic[] } {
  const found = new DiagnosticCollector();
  const typed = context.readConditions({ ...context, found }, rows, pred);
  if (found.size > 0) return { pred: typed, problems: found.sorted() };
  const isOwn =
    !predValues(typed).some((value) => readsTotals(value) || readsCursor(value)) &&
    typedPredPaths(typed).every((path) => joinsOf(context, rows, path).length === 0);
  if (isOwn) return { pred: typed, problems: [] };
  const args = { found: clip(programText(context, pred.span), 60) };
  return {
    pred: typed,
    problems: [diagnose(expressionMessages.relatedCondition, pred.span, args)],
  };
}

function totalOf(
  context: CheckContext,
  call: ConstructorValue,
  fn: TotalFunction,
  related: Related,
  { at, name, rest }: Start,
): Expression {
  const [first] = rest;
  const last = rest.at(-1);
  if (first === undefined || last === undefined) {
    if (fn !== "count" && fn !== "exists") return faulty(columnMissing(context, call, name));
    const type = plain(fn === "count" ? { kind: "integer" } : { kind: "boolean" });
    return made(context, { kind: "total", at, related, fn, path: null, type });
  }
  const path: Path = {
    kind: "Path",
    segments: rest,
    span: spanIn(context.source, first.span.start, last.span.end),
  };
  const rows = entityRows(related.target, "many");
  const column = resolvePath(context, rows, path);
  if (column.kind === "foreign") return faulty(unreadableColumn(context, path, column));
  if (column.kind !== "column") return faulty(column.problem);
  if (joinsOf(context, rows, column.path).length > 0) {
    const args = { found: clip(programText(context, path.span), 60) };
    return faulty(diagnose(expressionMessages.relatedColumn, path.span, args));
  }
  if (fn !== "exists" && !isSummed(fn, column.type.type)) {
    const shown = typeText(context.exposure, column.type);
    const args = { name: fn, takes: "numbers", found: shown, form: "a column of numbers" };
    return faulty(diagnose(expressionMessages.argumentType, path.span, args));
  }
  const type =
    fn === "count"
      ? plain({ kind: "integer" })
      : fn === "exists"
        ? plain({ kind: "boolean" })
        : fn === "min" || fn === "max"
          ? column.type
          : plain({ kind: "number" });
  return made(context, { kind: "total", at, related, fn, path: column.path, type });
}

function made(context: CheckContext, value: Extract<TypedValue, { kind: "total" }>): Expression {
  if (value.at === "cursor") context.cursor?.totals.push(value);
  return expressionOf(value, value.type);
}

function columnMissing(context: CheckContext, call: ConstructorValue, name: Name): Diagnostic {
  const shown = clip(programText(context, call.args[0]?.span ?? call.span), 60);
  const fn = call.name.text;
  const args = { fn, rows: shown, form: `${fn}(${shown}.column)`, relation: name.text };
  return diagnose(expressionMessages.totalColumn, call.span, args);
}
