import type { Span } from "../../base/span.ts";
import { clip, compareCodePoints } from "../../base/text.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import { stepMessages } from "../../diagnostics/step-messages.ts";
import { syntaxMessages } from "../../diagnostics/syntax-messages.ts";
import type {
  ColumnSource,
  Count,
  Distinct,
  Limit,
  PageSize,
  Project,
  Singleton,
  Sort,
  SortKey,
} from "../../language/grammar/ast.ts";
import type { ValueType } from "../../values/value-type.ts";
import { type CheckContext, programText } from "../check-context.ts";
import { joinedRows } from "../columns/joined-rows.ts";
import { type NamedSource, readColumn, readSource } from "../columns/read-source.ts";
import { resolvePath } from "../columns/resolve-path.ts";
import { columnsOf } from "../columns/row-columns.ts";
import { speakerLike } from "../names/name-formatter.ts";
import type { Rows } from "../typed-program.ts";
import { type Column, typeText } from "../types.ts";
import { columnPaths, columnTotals } from "../values/typed-parts.ts";
import { reportNotYet } from "./operator-forms.ts";

/** `.sort(…)`: a stable order by columns, nulls last (LANG-065). */
export function checkSort(context: CheckContext, source: Rows, step: Sort): Rows {
  const keys = step.keys.map((key, at) => {
    if (at > 0 && failDirection(context, source, key, step.keys[at - 1])) {
      return { path: [programText(context, key.path.span)], desc: false };
    }
    const read = readSource(context, source, key.path);
    if (read.ok) checkComparable(context, source, key.path, read, "sorted");
    return { path: read.column, desc: key.desc };
  });
  const { type } = source;
  const paths = columnPaths(keys.map(({ path }) => path));
  const totals = columnTotals(keys.map(({ path }) => path));
  const joined = joinedRows(context, source, paths, totals);
  return { kind: "sort", stage: context.stage, span: step.span, type, source: joined, keys };
}

const DIRECTION = /^(?:asc|desc)(?:ending)?$/i;

/** `sort(length, DESC)`: where no column has that name, it is a direction written otherwise (LANG-014). */
function failDirection(
  context: CheckContext,
  source: Rows,
  { path, desc }: SortKey,
  before: SortKey | undefined,
): boolean {
  if (path.kind !== "Path") return false;
  const [word, more] = path.segments;
  if (word === undefined || more !== undefined || desc || !DIRECTION.test(word.text)) return false;
  if (resolvePath(context, source.type, path).kind !== "unknown") return false;
  const plain = /^asc/i.test(word.text) ? "asc" : "desc";
  const edits = [{ span: word.span, replacement: plain }];
  const args = {
    word: word.text,
    form: `.sort(${before === undefined ? "" : programText(context, before.path.span)} ${plain})`,
  };
  context.found.add(diagnose(syntaxMessages.sortWord, word.span, args, edits));
  return true;
}

/** `[a, b]`: exactly these columns in this order; identity stays (LANG-061). */
export function projectRows(context: CheckContext, source: Rows, step: Project): Rows {
  const named = step.paths.map((path) => {
    const column = readColumn(context, source.type, path);
    return { at: path.span, name: column.path.join("."), ...column };
  });
  reportDuplicates(context, named);
  const paths = distinctPaths(named.map(({ path }) => path));
  const types = new Map(named.map(({ path, type }) => [path, type]));
  const columns = paths.map((path): Column => {
    const type = types.get(path) ?? { entryId: null, type: { kind: "json" } };
    return { name: path.join("."), type };
  });
  const removedBy = clip(programText(context, step.span), 40);
  return {
    kind: "project",
    stage: context.stage,
    span: step.span,
    type: { ...source.type, columns, open: false, removedBy },
    source: joinedRows(context, source, paths),
    paths,
  };
}

function distinctPaths(paths: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const seen = new Set<string>();
  return paths.filter((path) => {
    const name = path.join(".");
    return !seen.has(name) && seen.add(name);
  });
}

const MOST = 100_000;

/** `.limit(n)`: the first n rows; with `per` of each group (LANG-061). Null: reported. */
export function limitRows(context: CheckContext, source: Rows, step: Limit): Rows | null {
  const n = readCount(context, step.n, "limit");
  if (n === null) return source;
  if (step.per !== undefined) return firstRows(context, source, [step.per], n, step.span);
  const card = n === 1 && source.type.card === "many" ? "opt" : source.type.card;
  const type = { ...source.type, card };
  return { kind: "limit", stage: context.stage, span: step.span, type, source, n };
}

/** `.page_size(n)`: all rows, of which a returned node shows n (LANG-061). */
export function pageSizeRows(context: CheckContext, source: Rows, step: PageSize): Rows {
  const n = readCount(context, step.n, "page_size");
  if (n === null) return source;
  const { type } = source;
  return { kind: "page_size", stage: context.stage, span: step.span, type, source, n };
}

/** The number; its range is part of the grammar (LANG-062). Null: missing or in error. */
function readCount(
  context: CheckContext,
  count: Count,
  step: "limit" | "page_size",
): number | null {
  switch (count.kind) {
    case "NumberValue":
      return Number(count.raw);
    case "PlaceholderValue": {
      const args = { raw: count.raw, step, most: MOST };
      context.found.add(diagnose(stepMessages.countPlaceholder, count.span, args));
      return null;
    }
    case "Bad":
      return null;
  }
}

/** `.distinct(…)`: the first row of each combination (LANG-061). Null: reported. */
export function distinctRows(context: CheckContext, source: Rows, step: Distinct): Rows | null {
  if (!context.features.distinct) return reportNotYet(context, "distinct", step.span);
  return firstRows(context, source, step.paths, 1, step.span);
}

/** The first rows of each combination of what the columns give (LANG-061). Null: reported. */
function firstRows(
  context: CheckContext,
  source: Rows,
  columns: readonly ColumnSource[],
  keep: number,
  span: Span,
): Rows | null {
  if (!context.features.distinct) return reportNotYet(context, "distinct", span);
  const paths = columns.map((path) => {
    const read = readSource(context, source, path);
    if (read.ok) checkComparable(context, source, path, read, "told apart");
    return read.column;
  });
  const { type } = source;
  const joined = joinedRows(context, source, columnPaths(paths), columnTotals(paths));
  return { kind: "distinct", keep, stage: context.stage, span, type, source: joined, paths };
}

/** `.singleton()`: exactly one row (LANG-068). Null: reported. */
export function singletonRows(context: CheckContext, source: Rows, step: Singleton): Rows | null {
  if (!context.features.singleton) return reportNotYet(context, "singleton", step.span);
  const type = { ...source.type, card: "one" } as const;
  return { kind: "singleton", stage: context.stage, span: step.span, type, source };
}

/** Reports a column whose values have no order and no equality: arrays and blobs (LANG-065). */
export function checkComparable(
  context: CheckContext,
  source: Rows,
  path: ColumnSource,
  column: NamedSource,
  what: "sorted" | "grouped" | "told apart" | "joined",
): void {
  if (isComparable(column.type.type)) return;
  const text = clip(programText(context, path.span), 60);
  const speaker = speakerLike(context.exposure, text);
  const name = column.name ?? text;
  const fitting = columnsOf(context.exposure, source.type)
    .filter(([, { type }]) => isComparable(type))
    .map(([each]) => each)
    .toSorted(compareCodePoints);
  const args = {
    name: speaker.name(name),
    type: typeText(context.exposure, column.type),
    what,
    columns: speaker.names(fitting, name),
  };
  context.found.add(diagnose(stepMessages.badColumnType, path.span, args));
}

function isComparable(type: ValueType): boolean {
  switch (type.kind) {
    case "array":
    case "multi_select":
    case "blob":
      return false;
    case "string":
    case "uuid":
    case "number":
    case "integer":
    case "boolean":
    case "select":
    case "date":
    case "json":
    case "entity_ref":
      return true;
  }
}

/** A column a step makes, and where it is named. */
export interface NamedPlace {
  readonly at: Span;
  readonly name: string;
}

/** Reports columns of one name, with both positions (LANG-063). */
export function reportDuplicates(context: CheckContext, named: readonly NamedPlace[]): void {
  const first = new Map<string, Span>();
  for (const { at, name } of named) {
    const before = first.get(name);
    if (before === undefined) first.set(name, at);
    else {
      const args = {
        name,
        first: `${before.line}:${before.column}`,
        second: `${at.line}:${at.column}`,
      };
      context.found.add(diagnose(stepMessages.duplicateColumn, at, args));
    }
  }
}
