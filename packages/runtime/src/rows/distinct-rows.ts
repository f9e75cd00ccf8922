import type { NoteUnfit } from "./cell-key.ts";
import { type CombinationKey, combinationName, combinationsOf } from "./combination.ts";
import type { RowColumn } from "./row-column.ts";
import type { Row } from "./row.ts";

/** The first row of each combination of the columns, order kept (LANG-061, LANG-065). */
export function distinctRows(
  rows: readonly Row[],
  columns: readonly RowColumn[],
  unfit: NoteUnfit,
): readonly Row[] {
  const combination = combinationsOf(columns, unfit);
  const seen = new Set<CombinationKey>();
  return rows.flatMap((row, index): readonly Row[] => {
    const key = combination(row, index);
    if (seen.has(key)) return [];
    seen.add(key);
    return [{ ...row, name: combinationName(key) }];
  });
}
