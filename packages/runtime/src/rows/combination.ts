import { type GroupKey, groupKey, WORK } from "@plasm/core";
import { cellKey, type NoteUnfit, typeWork } from "./cell-key.ts";
import type { RowColumn } from "./row-column.ts";
import type { Row } from "./row.ts";

/** What rows of one combination of cells share, and no others: a key of a map. */
export type CombinationKey = GroupKey | null;

/** A group key as part of a text; the length keeps parts apart. */
function part(key: CombinationKey): string {
  const text = String(key ?? "");
  return `${key === null ? "-" : typeof key}${text.length}:${text}`;
}

/** A combination as the name of the row that stands for it. */
export const combinationName = (key: CombinationKey): string =>
  key === null ? "-" : `${typeof key}:${String(key)}`;

/**
 * What rows are told apart by in some columns, by the relation that sorts them: null is a value of its
 * own (LANG-065).
 */
export function combinationsOf(
  columns: readonly RowColumn[],
  unfit: NoteUnfit,
): (row: Row, index: number) => CombinationKey {
  const keyOf =
    (column: RowColumn) =>
    (row: Row, index: number): CombinationKey =>
      cellKey(groupKey, column, column.read(row), index, unfit);
  const [first, ...others] = columns.map(keyOf);
  if (first !== undefined && others.length === 0) return first;
  const all = columns.map(keyOf);
  return (row, index) => all.reduce((text, key) => text + part(key(row, index)), "");
}

/** What reading the cells of a combination costs, in pieces, the characters of texts aside. */
export const keysWork = (columns: readonly RowColumn[]): number =>
  columns.reduce((sum, { type }) => sum + WORK.key + typeWork(type), 0);
