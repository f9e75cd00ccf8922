import type { TotalValue, TypedColumn, TypedPred, TypedValue } from "../typed-program.ts";

/** A value and all inside it. */
export function valueParts(value: TypedValue): readonly TypedValue[] {
  switch (value.kind) {
    case "ref":
      return [value, ...[...value.key.values()].flatMap(valueParts)];
    case "list":
      return [value, ...value.items.flatMap(valueParts)];
    case "object":
      return [value, ...[...value.entries.values()].flatMap(valueParts)];
    case "computed":
      return [value, ...value.args.flatMap(valueParts)];
    case "lit":
    case "dec":
    case "now":
    case "hole":
    case "cursor":
    case "cell":
    case "total":
    case "placeholder":
      return [value];
  }
}

/** The paths that a value reads of the row that a condition, key or aggregate is at. */
export function cellPaths(value: TypedValue): readonly (readonly string[])[] {
  return valueParts(value).flatMap((part) => (part.kind === "cell" ? [part.path] : []));
}

/** Whether a value reads the row that a condition, key or aggregate is at. */
export function readsCells(value: TypedValue): boolean {
  return valueParts(value).some(
    (part) => part.kind === "cell" || (part.kind === "total" && part.at === "cell"),
  );
}

/** What a value asks of rows related to the row that a step is at. */
export function cellTotals(value: TypedValue): readonly TotalValue[] {
  return valueParts(value).flatMap((part) =>
    part.kind === "total" && part.at === "cell" ? [part] : [],
  );
}

/** Whether a value asks anything of related rows. */
export function readsTotals(value: TypedValue): boolean {
  return valueParts(value).some(({ kind }) => kind === "total");
}

/** What steps ask of rows related to each row. */
export function columnTotals(columns: readonly TypedColumn[]): readonly TotalValue[] {
  return columns.flatMap((column) => (isPath(column) ? [] : cellTotals(column)));
}

/** Whether no part of a value is in error, reported before. */
export function isWhole(value: TypedValue): boolean {
  return !valueParts(value).some(({ kind }) => kind === "placeholder");
}

/** Whether a value reads the row that a `=>` is at. */
export function readsCursor(value: TypedValue): boolean {
  return valueParts(value).some(
    (part) => part.kind === "cursor" || (part.kind === "total" && part.at === "cursor"),
  );
}

/** Whether what a step reads of a row is a column, and no computed value. */
export function isPath(column: TypedColumn): column is readonly string[] {
  return Array.isArray(column);
}

/** The paths that a step reads of each row. */
export function columnPaths(columns: readonly TypedColumn[]): readonly (readonly string[])[] {
  return columns.flatMap((column) => (isPath(column) ? [column] : cellPaths(column)));
}

/** The values of a condition: what its columns are compared with, or what is computed. */
export function predValues(pred: TypedPred): readonly TypedValue[] {
  const found: TypedValue[] = [];
  addValues(pred, found);
  return found;
}

function addValues(pred: TypedPred, found: TypedValue[]): void {
  switch (pred.kind) {
    case "and":
    case "or":
      for (const item of pred.items) addValues(item, found);
      return;
    case "not":
      addValues(pred.pred, found);
      return;
    case "test":
      found.push(pred.value);
      return;
    case "condition":
      if (pred.tested !== null) found.push(pred.tested);
      for (const { value } of pred.sendable.values()) if (value !== null) found.push(value);
      return;
    case "exists":
    case "bad":
      return;
  }
}
