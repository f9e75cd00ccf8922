import type { NoteUnfit } from "./cell-key.ts";
import { combinationOf } from "./combination.ts";
import type { RowColumn } from "./row-column.ts";
import type { Row } from "./row.ts";

/** The first row of each combination of the columns, order kept (LANG-061, LANG-065). */
export function distinctRows(
  rows: readonly Row[],
  columns: readonly RowColumn[],
  unfit: NoteUnfit,
): readonly Row[] {
  const seen = new Set<string>();
  return rows.filter((row, index) => {
    const { text } = combinationOf(row, columns, index, unfit);
    if (seen.has(text)) return false;
    seen.add(text);
    return true;
  });
}
