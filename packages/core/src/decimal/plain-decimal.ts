import { bigOf, type Decimal } from "./decimal.ts";

/** An exact number as digits with at most a point, never with an exponent. */
export function plainDecimal(decimal: Decimal): string {
  return bigOf(decimal).toFixed();
}
