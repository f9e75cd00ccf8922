import { diagnose } from "../../diagnostics/messages.ts";
import { stepMessages } from "../../diagnostics/step-messages.ts";
import type { Agg, Aggregate, ColumnSource, GroupBy } from "../../language/grammar/ast.ts";
import type { Span } from "../../base/span.ts";
import { clip, compareCodePoints } from "../../base/text.ts";
import { type CheckContext, programText } from "../check-context.ts";
import { joinedRows } from "../columns/joined-rows.ts";
import { type NamedSource, readSource } from "../columns/read-source.ts";
import { expressionMessages } from "../../diagnostics/expression-messages.ts";
import { columnsOf } from "../columns/row-columns.ts";
import { speakerLike, wireName } from "../names/name-formatter.ts";
import { type Column, type ColumnType, type RowType, typeText } from "../types.ts";
import type { Rows, TypedAgg, TypedColumn, TypedKeyColumn } from "../typed-program.ts";
import { isSummed } from "../values/function-table.ts";
import { columnPaths, columnTotals, isPath } from "../values/typed-parts.ts";
import { checkComparable, type NamedPlace, reportDuplicates } from "./row-steps.ts";
import { reportNotYet } from "./operator-forms.ts";

/** `.aggregate(…)`: one row of aggregates (LANG-066). Null: reported. */
export function checkAggregate(context: CheckContext, source: Rows, step: Aggregate): Rows | null {
  if (!context.features.aggregate) return reportNotYet(context, "aggregate", step.span);
  if (source.kind === "group_by" && source.aggs.length === 0)
    return groupsInOne(context, source.span, step);
  const aggs = step.aggs.map((agg) => readAgg(context, source, agg));
  reportDuplicates(context, aggs);
  return {
    kind: "aggregate",
    stage: context.stage,
    span: step.span,
    type: { ...rowsOfNone(context, step), card: "one", columns: aggs.map(({ column }) => column) },
    source: joinedRows(
      context,
      source,
      columnPaths(aggColumns(aggs)),
      columnTotals(aggColumns(aggs)),
    ),
    aggs: aggs.map(({ agg }) => agg),
  };
}

/** Elsewhere what comes behind a grouping is taken of each group; here it would be one row of all of them, in silence (LANG-066). */
function groupsInOne(context: CheckContext, groups: Span, step: Aggregate): null {
  const inside = (span: Span): string =>
    programText(context, span)
      .replace(/^[^(]*\(/, "")
      .replace(/\)$/, "")
      .trim();
  const [keys, aggs] = [inside(groups), inside(step.span)];
  const args = { step: clip(programText(context, step.span), 40), keys, aggs };
  context.found.add(diagnose(stepMessages.groupsInOne, step.span, args));
  return null;
}

/** `.group_by(…)`: one row per combination of the keys, in order of first appearance. Null: reported. */
export function groupByRows(context: CheckContext, source: Rows, step: GroupBy): Rows | null {
  if (!context.features.aggregate) return reportNotYet(context, "group_by", step.span);
  const keys = step.paths.map((path) => readKey(context, source, path));
  const aggs = step.aggs.map((agg) => readAgg(context, source, agg));
  reportDuplicates(context, [...keys, ...aggs]);
  const columns = [...keys.map((key) => key.read), ...aggColumns(aggs)];
  return {
    kind: "group_by",
    stage: context.stage,
    span: step.span,
    type: {
      ...rowsOfNone(context, step),
      card: "many",
      columns: [...keys, ...aggs].map(({ column }) => column),
    },
    source: joinedRows(context, source, columnPaths(columns), columnTotals(columns)),
    keys: keys.map(({ key }) => key),
    aggs: aggs.map(({ agg }) => agg),
  };
}

function aggColumns(aggs: readonly ReadAgg[]): readonly TypedColumn[] {
  return aggs.flatMap(({ agg }) => (agg.path === null ? [] : [agg.path]));
}

function rowsOfNone(
  context: CheckContext,
  step: Aggregate | GroupBy,
): Omit<RowType, "card" | "columns"> {
  const lostBy = clip(programText(context, step.span), 40);
  return { entity: null, open: false, removedBy: null, lostBy };
}

interface ReadKey extends NamedPlace {
  readonly key: TypedKeyColumn;
  readonly read: TypedColumn;
  readonly column: Column;
}

function readKey(context: CheckContext, source: Rows, key: GroupBy["paths"][number]): ReadKey {
  const by = key.kind === "NamedKey" ? key.path : key;
  const read = readSource(context, source, by);
  if (read.ok) checkComparable(context, source, by, read, "grouped");
  const named = key.kind === "NamedKey" ? wireName(context.exposure.symbols, key.name.text) : null;
  const name = named ?? read.name ?? ownName(by);
  if (name === null) {
    const args = { form: `name=${clip(programText(context, by.span), 60)}` };
    if (read.ok) context.found.add(diagnose(expressionMessages.unnamed, by.span, args));
  }
  const shown = name ?? "key";
  const at = key.kind === "NamedKey" ? key.name.span : by.span;
  const column = { name: shown, type: read.type };
  const typed = !isPath(read.column)
    ? { as: shown, value: read.column }
    : named === null
      ? read.column
      : { as: shown, value: { kind: "cell", path: read.column, type: read.type } as const };
  return { at, name: shown, key: typed, read: read.column, column };
}

/** The name of a function of one column: `month_placed`, as `sum_length` is (LANG-066). */
function ownName(by: ColumnSource): string | null {
  if (by.kind !== "ConstructorValue") return null;
  const [first] = by.args;
  if (first?.value.kind !== "WordValue") return null;
  const column = first.value.raw.replace(/^_\./, "").replaceAll(".", "_");
  return `${by.name.text}_${column}`;
}

interface ReadAgg extends NamedPlace {
  readonly agg: TypedAgg;
  readonly column: Column;
}

function readAgg(context: CheckContext, source: Rows, agg: Agg): ReadAgg {
  const read = agg.path === undefined ? null : readSource(context, source, agg.path);
  if (read?.ok === true && agg.path !== undefined) {
    checkAggregated(context, source, agg, agg.path, read);
  }
  const path = read === null ? null : counted(agg, read);
  const inner =
    read === null || agg.path === undefined ? "" : (read.name ?? ownName(agg.path) ?? "");
  const own = inner === "" ? agg.fn : `${agg.fn}_${inner.replaceAll(".", "_")}`;
  const name = agg.name === undefined ? own : wireName(context.exposure.symbols, agg.name.text);
  return {
    at: agg.name?.span ?? agg.span,
    name,
    agg: { as: name, fn: agg.fn, path },
    column: { name, type: resultType(agg, read) },
  };
}

/** `count(state=lost)` counts the rows that meet it: what is not true is not counted. */
function counted({ fn }: Agg, { column, type }: NamedSource): TypedColumn {
  if (fn !== "count" || isPath(column) || type.type.kind !== "boolean") return column;
  const lit = (value: boolean | null) => ({ kind: "lit", value }) as const;
  return {
    kind: "computed",
    operation: "if",
    args: [column, lit(true), lit(null)],
    on: null,
    type,
  };
}

function resultType(agg: Agg, column: NamedSource | null): ColumnType {
  switch (agg.fn) {
    case "count":
      return { entryId: null, type: { kind: "integer" } };
    case "sum":
    case "avg":
      return { entryId: null, type: { kind: "number" } };
    case "min":
    case "max":
    case "first":
    case "last":
      return column?.type ?? { entryId: null, type: { kind: "json" } };
  }
}

function checkAggregated(
  context: CheckContext,
  source: Rows,
  agg: Agg,
  path: ColumnSource,
  column: NamedSource,
): void {
  if (isSummed(agg.fn, column.type.type)) return;
  const text = clip(programText(context, path.span), 60);
  const speaker = speakerLike(context.exposure, text);
  const name = column.name ?? text;
  const fitting = columnsOf(context.exposure, source.type)
    .filter(([, { type }]) => isSummed(agg.fn, type))
    .map(([each]) => each)
    .toSorted(compareCodePoints);
  const args = {
    fn: agg.fn,
    name: speaker.code(name),
    type: typeText(context.exposure, column.type),
    columns: speaker.names(fitting, name),
  };
  context.found.add(diagnose(stepMessages.badAggregateType, path.span, args));
}
