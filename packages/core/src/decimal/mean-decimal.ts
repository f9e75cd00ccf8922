import { Big } from "big.js";
import { bigOf, type Decimal, decimalOf } from "./decimal.ts";

const SIGNIFICANT = 15;
const FURTHER_PLACES = 2;

/** The power of ten of the first digit of a quotient of two positive integers. */
function magnitude(dividend: bigint, divisor: bigint): number {
  const guess = String(dividend).length - String(divisor).length;
  const power = 10n ** BigInt(Math.abs(guess));
  const reached = guess < 0 ? dividend * power >= divisor : dividend >= divisor * power;
  return reached ? guess : guess - 1;
}

function roundedQuotient(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  const twice = (dividend % divisor) * 2n;
  const up = twice > divisor || (twice === divisor && quotient % 2n === 1n);
  return up ? quotient + 1n : quotient;
}

/** How many digits a number has after its point. */
export function decimalPlaces(decimal: Decimal): number {
  const { c, e } = bigOf(decimal);
  return Math.max(0, c.length - 1 - e);
}

/**
 * A sum divided by a count of at least 1, rounded half to even: to 15 significant digits, which a
 * JSON number holds, or to two decimal places more than the addends have, whichever is finer
 * (LANG-066). So the average of equal numbers is that number, however long.
 */
export function meanDecimal(sum: Decimal, count: number, addendPlaces: number): Decimal {
  const big = bigOf(sum);
  if (big.eq(0)) return sum;
  const [whole = "", fraction = ""] = big.abs().toFixed().split(".");
  const dividend = BigInt(whole + fraction);
  const divisor = BigInt(count) * 10n ** BigInt(fraction.length);
  const significant = SIGNIFICANT - 1 - magnitude(dividend, divisor);
  const places = Math.max(addendPlaces + FURTHER_PLACES, significant);
  const quotient = roundedQuotient(dividend * 10n ** BigInt(places), divisor);
  const mean = new Big(`${quotient}e-${places}`);
  return decimalOf(big.lt(0) ? mean.neg() : mean);
}
