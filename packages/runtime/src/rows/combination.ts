import { type GroupKey, groupKey } from "@plasm/core";
import { cellKey, type NoteUnfit } from "./cell-key.ts";
import type { RowColumn } from "./row-column.ts";
import type { Row } from "./row.ts";

/** What rows of one combination of cells share, and no others: a key of a map. */
export type CombinationKey = GroupKey | null;

/** A group key as part of a text; the length keeps parts apart. */
function part(key: CombinationKey): string {
  const text = String(key ?? "");
  return `${key === null ? "-" : typeof key}${text.length}:${text}`;
}

/**
 * What a row is told apart by in some columns, by the relation that sorts them: null is a value of its
 * own (LANG-065).
 */
export function combinationOf(
  row: Row,
  columns: readonly RowColumn[],
  index: number,
  unfit: NoteUnfit,
): CombinationKey {
  const [only] = columns;
  if (columns.length === 1 && only !== undefined) {
    return cellKey(groupKey, only, only.read(row), index, unfit);
  }
  let text = "";
  for (const column of columns) {
    text += part(cellKey(groupKey, column, column.read(row), index, unfit));
  }
  return text;
}
