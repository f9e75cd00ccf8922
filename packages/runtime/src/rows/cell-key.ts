import type { Json, ValueType } from "@plasm/core";
import type { RowColumn } from "./row-column.ts";

/** Told of each cell that does not fit what is expected of its column; it counts as null (LANG-066). */
export type NoteUnfit = (column: string, expected: string, cell: Json, row: number) => void;

/** What the cells of a type are, for a message. */
export function expectedOf(type: ValueType): string {
  switch (type.kind) {
    case "number":
    case "integer":
      return "a number";
    case "boolean":
      return "true or false";
    case "date":
      return "a date";
    case "string":
    case "uuid":
    case "select":
      return "text";
    case "entity_ref":
      return `a key of ${type.target}`;
    case "blob":
    case "array":
    case "multi_select":
    case "json":
      return "json";
  }
}

/** The key that `keyOf` makes of a cell by its type; null for null and for what does not fit. */
export function cellKey<K>(
  keyOf: (cell: Json, type: ValueType) => K | null,
  { name, type }: RowColumn,
  cell: Json | undefined,
  row: number,
  unfit: NoteUnfit,
): K | null {
  if (cell === undefined || cell === null) return null;
  const key = keyOf(cell, type);
  if (key === null) unfit(name, expectedOf(type), cell, row);
  return key;
}
