import { bigOf, type Decimal } from "./decimal.ts";

/** Orders two exact numbers: negative, 0 or positive. */
export function compareDecimal(a: Decimal, b: Decimal): number {
  return bigOf(a).cmp(bigOf(b));
}
