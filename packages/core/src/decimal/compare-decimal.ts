import type { Decimal } from "./parse-decimal.ts";

/** Orders two exact numbers: negative, 0 or positive. */
export function compareDecimal(a: Decimal, b: Decimal): number {
  return a.cmp(b);
}
