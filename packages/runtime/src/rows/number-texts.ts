import { compareCodePoints, WORK } from "@plasm/core/internal";
import type { Pausable } from "../base/turns.ts";
import type { RowColumn } from "./row.ts";
import type { RowSequence } from "./row-list.ts";

const DECIMAL = /^-?\d{1,300}(?:\.\d{1,300})?$/;

/** Whether two texts, both of them numbers, are in another order than those numbers are. */
const isOtherOrder = (a: string, b: string): boolean =>
  Math.sign(compareCodePoints(a, b)) * Math.sign(Number(a) - Number(b)) < 0;

/** Whether a text is compared with another as characters, where both are numbers and compare otherwise ("90" > "100"). */
export const isNumbersOrder = (a: unknown, b: unknown): boolean =>
  typeof a === "string" && typeof b === "string" && DECIMAL.test(a) && DECIMAL.test(b)
    ? isOtherOrder(a, b)
    : false;

/** So many rows are looked at between pauses. */
const RUN = 1_024;

/**
 * Whether the texts of a column are numbers, all of them, in another order than that of their characters: of rows that
 * follow each other, or of the least and the greatest. Stops at the first text that is none.
 */
export function* areNumbers(rows: RowSequence, { type, read }: RowColumn): Pausable<boolean> {
  if (type.kind !== "string") return false;
  let least: string | null = null;
  let greatest: string | null = null;
  let before: string | null = null;
  let [isOther, at] = [false, 0];
  for (const row of rows) {
    at += 1;
    if (at % RUN === 0) yield RUN * WORK.comparison;
    const text = read(row) ?? null;
    if (text === null || text === "") continue;
    if (typeof text !== "string" || !DECIMAL.test(text)) return false;
    isOther ||= [least, greatest, before].some((each) => each !== null && isOtherOrder(each, text));
    if (least === null || compareCodePoints(text, least) < 0) least = text;
    if (greatest === null || compareCodePoints(text, greatest) > 0) greatest = text;
    before = text;
  }
  return isOther;
}

/** What is said of a column whose numbers are text (LANG-065). */
export const numbersDetail = (name: string): string =>
  `${name}: its texts are numbers, and text is ordered by its characters ("100" before "90"); number(${name}) has the order of numbers`;
