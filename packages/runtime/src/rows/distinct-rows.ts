import type { NoteUnfit } from "./cell-key.ts";
import { combinationOf, type CombinationKey } from "./combination.ts";
import type { RowColumn } from "./row-column.ts";
import type { Row } from "./row.ts";

/** The first row of each combination of the columns, order kept (LANG-061, LANG-065). */
export function distinctRows(
  rows: readonly Row[],
  columns: readonly RowColumn[],
  unfit: NoteUnfit,
): readonly Row[] {
  const seen = new Set<CombinationKey>();
  return rows.filter((row, index) => {
    const key = combinationOf(row, columns, index, unfit);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
