import type { Decimal } from "./parse-decimal.ts";

/** An exact number as digits with at most a point, never with an exponent. */
export function plainDecimal(decimal: Decimal): string {
  return decimal.toFixed();
}
