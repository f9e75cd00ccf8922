import { diagnose } from "../../diagnostics/messages.ts";
import { stepMessages } from "../../diagnostics/step-messages.ts";
import type { Path } from "../../language/grammar/ast-values.ts";
import type { Agg, Aggregate, GroupBy } from "../../language/grammar/ast.ts";
import { clip, compareCodePoints } from "../../base/text.ts";
import type { ValueType } from "../../values/value-type.ts";
import { type CheckContext, textOf } from "../check-context.ts";
import { joinedRows } from "../columns/joined-rows.ts";
import { type NamedColumn, readColumn } from "../columns/read-column.ts";
import { columnsOf } from "../columns/row-columns.ts";
import { speakerLike, wireName } from "../names/name-formatter.ts";
import { type Column, type ColumnType, type RowType, typeText } from "../types.ts";
import type { Rows, TypedAgg } from "../typed-program.ts";
import { checkComparable, type NamedPlace, reportDuplicates } from "./row-steps.ts";
import { reportNotYet } from "./operator-forms.ts";

/** `.aggregate(…)`: one row of aggregates (LANG-066). Null: reported. */
export function aggregateRows(context: CheckContext, source: Rows, step: Aggregate): Rows | null {
  if (!context.features.aggregate) return reportNotYet(context, "aggregate", step.span);
  const aggs = step.aggs.map((agg) => readAgg(context, source, agg));
  reportDuplicates(context, aggs);
  return {
    kind: "aggregate",
    stage: context.stage,
    span: step.span,
    type: { ...rowsOfNone(context, step), card: "one", columns: aggs.map(({ column }) => column) },
    source: joinedRows(context, source, aggPaths(aggs)),
    aggs: aggs.map(({ agg }) => agg),
  };
}

/** `.group_by(…)`: one row per combination of the keys, in order of first appearance. Null: reported. */
export function groupByRows(context: CheckContext, source: Rows, step: GroupBy): Rows | null {
  if (!context.features.aggregate) return reportNotYet(context, "group_by", step.span);
  const keys = step.paths.map((path) => readKey(context, source, path));
  const aggs = step.aggs.map((agg) => readAgg(context, source, agg));
  reportDuplicates(context, [...keys, ...aggs]);
  return {
    kind: "group_by",
    stage: context.stage,
    span: step.span,
    type: {
      ...rowsOfNone(context, step),
      card: "many",
      columns: [...keys, ...aggs].map(({ column }) => column),
    },
    source: joinedRows(context, source, [...keys.map(({ path }) => path), ...aggPaths(aggs)]),
    keys: keys.map(({ path }) => path),
    aggs: aggs.map(({ agg }) => agg),
  };
}

function aggPaths(aggs: readonly ReadAgg[]): readonly (readonly string[])[] {
  return aggs.flatMap(({ agg }) => (agg.path === null ? [] : [agg.path]));
}

function rowsOfNone(
  context: CheckContext,
  step: Aggregate | GroupBy,
): Omit<RowType, "card" | "columns"> {
  const lostBy = clip(textOf(context, step.span), 40);
  return { entity: null, open: false, removedBy: null, lostBy };
}

interface ReadKey extends NamedPlace {
  readonly path: readonly string[];
  readonly column: Column;
}

function readKey(context: CheckContext, source: Rows, path: Path): ReadKey {
  const column = readColumn(context, source.type, path);
  if (column.ok) checkComparable(context, source, path, column, "grouped");
  const name = column.path.join(".");
  return { at: path.span, name, path: column.path, column: { name, type: column.type } };
}

interface ReadAgg extends NamedPlace {
  readonly agg: TypedAgg;
  readonly column: Column;
}

function readAgg(context: CheckContext, source: Rows, agg: Agg): ReadAgg {
  const column = agg.path === undefined ? null : readColumn(context, source.type, agg.path);
  if (column?.ok === true && agg.path !== undefined) {
    checkAggregated(context, source, agg, agg.path, column);
  }
  const path = column?.path ?? null;
  const own = path === null ? agg.fn : `${agg.fn}_${path.join("_")}`;
  const name = agg.name === undefined ? own : wireName(context.exposure.symbols, agg.name.text);
  return {
    at: agg.name?.span ?? agg.span,
    name,
    agg: { as: name, fn: agg.fn, path },
    column: { name, type: resultType(agg, column) },
  };
}

function resultType(agg: Agg, column: NamedColumn | null): ColumnType {
  switch (agg.fn) {
    case "count":
      return { entryId: null, type: { kind: "integer" } };
    case "sum":
    case "avg":
      return { entryId: null, type: { kind: "number" } };
    case "min":
    case "max":
      return column?.type ?? { entryId: null, type: { kind: "json" } };
  }
}

/** Whether a function is defined on a type; cells of json may turn out to fit (LANG-066). */
function takes(fn: Agg["fn"], type: ValueType): boolean {
  if (type.kind === "json" || fn === "count") return true;
  const isNumber = type.kind === "number" || type.kind === "integer";
  if (fn === "sum" || fn === "avg") return isNumber;
  return isNumber || ["date", "string", "select", "uuid"].includes(type.kind);
}

function checkAggregated(
  context: CheckContext,
  source: Rows,
  agg: Agg,
  path: Path,
  column: NamedColumn,
): void {
  if (takes(agg.fn, column.type.type)) return;
  const speaker = speakerLike(context.exposure, path.segments[0]?.text ?? "");
  const name = column.path.join(".");
  const fitting = columnsOf(context.exposure, source.type)
    .filter(([, { type }]) => takes(agg.fn, type))
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
