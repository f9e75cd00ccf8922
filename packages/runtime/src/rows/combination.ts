import { type Json, sortKeyText } from "@plasm/core";
import { cellKey, type NoteUnfit } from "./cell-key.ts";
import type { RowColumn } from "./row-column.ts";
import type { Row } from "./row.ts";

/** The values of a row by which it is told apart from others, and their text. */
export interface Combination {
  /** the cells; null for those that do not fit their type */
  readonly cells: readonly Json[];
  /** shared by rows of equal values, and by no others */
  readonly text: string;
}

/**
 * What a row has in some columns, by the relation that sorts them: null is a value of its own
 * (LANG-065). Parts of the text carry their lengths, so that no two combinations share one.
 */
export function combinationOf(
  row: Row,
  columns: readonly RowColumn[],
  index: number,
  unfit: NoteUnfit,
): Combination {
  const cells: Json[] = [];
  let text = "";
  for (const column of columns) {
    const cell = column.read(row);
    const key = cellKey(column, cell, index, unfit);
    cells.push(key === null || cell === undefined ? null : cell);
    const part = key === null ? "" : sortKeyText(key);
    text += columns.length === 1 ? part : `${part.length}:${part}`;
  }
  return { cells, text };
}
