import { decimalValue } from "./number-value.ts";
import { type Decimal, parseDecimal } from "./parse-decimal.ts";

const ZERO = parseDecimal(0);

/**
 * The exact sum, whatever the order of the addends (LANG-066): a JSON number if a double holds it,
 * else canonical decimal text. The sum of nothing is 0.
 */
export function sumDecimal(addends: Iterable<Decimal>): number | string {
  let sum = ZERO;
  for (const addend of addends) sum = sum === null ? addend : sum.plus(addend);
  return sum === null ? 0 : decimalValue(sum);
}
