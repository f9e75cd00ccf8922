import { type Pausable, visitEach } from "../turns.ts";
import type { NoteUnfit } from "./cell-key.ts";
import { type CombinationKey, combinationName, combinationsOf } from "./combination.ts";
import type { RowColumn } from "./row-column.ts";
import type { Row } from "./row.ts";
import type { Rows } from "./row-list.ts";

/** The first row of each combination of the columns, order kept (LANG-061, LANG-065). */
export function* distinctInSteps(
  rows: Rows,
  columns: readonly RowColumn[],
  unfit: NoteUnfit,
): Pausable<readonly Row[]> {
  const combination = combinationsOf(columns, unfit);
  const seen = new Set<CombinationKey>();
  const kept: Row[] = [];
  const look = (row: Row, index: number): void => {
    const key = combination(row, index);
    if (!seen.has(key)) kept.push({ ...row, name: combinationName(key) });
    seen.add(key);
  };
  yield* visitEach(rows, look, 1 + columns.length);
  return kept;
}
