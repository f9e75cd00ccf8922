import { WORK } from "@plasm/core";
import { type Pausable, visitEach } from "../turns.ts";
import { cellWork, type NoteUnfit } from "./cell-key.ts";
import { type CombinationKey, combinationName, combinationsOf, keysWork } from "./combination.ts";
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
  const each = WORK.key + keysWork(columns);
  let textWork = 0;
  const look = (row: Row, index: number): void => {
    const key = combination(row, index);
    textWork = cellWork(key);
    if (!seen.has(key)) kept.push({ ...row, name: combinationName(key) });
    seen.add(key);
  };
  yield* visitEach(rows, look, () => each + textWork);
  return kept;
}
