import { bigOf, type Decimal } from "./decimal.ts";

/**
 * The whole part of an exact number; null if it has more than so many digits, none of which is written out: a
 * number of few characters may have ten thousand.
 */
export function wholePart(decimal: Decimal, mostDigits: number): bigint | null {
  const { c, e, s } = bigOf(decimal);
  if (e < 0) return 0n;
  if (e >= mostDigits) return null;
  const digits = c
    .slice(0, e + 1)
    .join("")
    .padEnd(e + 1, "0");
  return s < 0 ? -BigInt(digits) : BigInt(digits);
}

/** An exact number as digits with at most a point, never with an exponent. */
export function plainDecimal(decimal: Decimal): string {
  return bigOf(decimal).toFixed();
}
