import {
  bigOf,
  type Decimal,
  decimalOf,
  decimalValue,
  divideDecimal,
  parseDecimal,
} from "../base/decimal.ts";
import type { Json } from "./value-type.ts";

/** Why a value cannot be computed, in a few words: `it divides by 0` (LANG-048). */
export class ValueFault extends Error {}

const LONGEST = 1000;
const LARGEST_EXPONENT = 10_000;

/** A number as arithmetic takes it; throws {@link ValueFault} for anything else. */
function exact(value: Json): Decimal {
  const decimal =
    typeof value === "number" || typeof value === "string"
      ? parseDecimal(typeof value === "string" ? value.trim() : value)
      : null;
  if (decimal === null) throw new ValueFault(`${shown(value)} is no number`);
  return decimal;
}

/** A value in the words of a fault, cut. */
export function shown(value: Json): string {
  const text = typeof value === "string" ? JSON.stringify(value) : (JSON.stringify(value) ?? "");
  return text.length <= 40 ? text : `${text.slice(0, 39)}…`;
}

function kept(decimal: Decimal): number | string {
  const { c, e } = bigOf(decimal);
  if (c.length > LONGEST || Math.abs(e) > LARGEST_EXPONENT) {
    throw new ValueFault("it is a number of more than 1,000 digits");
  }
  return decimalValue(decimal);
}

/** How many digits lie between the first of one number and the last of the other: what writing their sum takes. */
function span(a: Decimal, b: Decimal): number {
  return Math.abs(bigOf(a).e - bigOf(b).e);
}

function near(a: Decimal, b: Decimal): void {
  if (span(a, b) > 2 * LONGEST) throw new ValueFault("its numbers lie too far apart");
}

const whole = (a: Json, b: Json): boolean => Number.isSafeInteger(a) && Number.isSafeInteger(b);

/** a + b, exactly. */
export function add(a: Json, b: Json): number | string {
  if (whole(a, b)) {
    const sum = Number(a) + Number(b);
    if (Number.isSafeInteger(sum)) return sum;
  }
  const [left, right] = [exact(a), exact(b)];
  near(left, right);
  return kept(decimalOf(bigOf(left).plus(bigOf(right))));
}

/** a - b, exactly. */
export function subtract(a: Json, b: Json): number | string {
  if (whole(a, b)) {
    const difference = Number(a) - Number(b);
    if (Number.isSafeInteger(difference)) return difference;
  }
  const [left, right] = [exact(a), exact(b)];
  near(left, right);
  return kept(decimalOf(bigOf(left).minus(bigOf(right))));
}

/** a × b, exactly. */
export function multiply(a: Json, b: Json): number | string {
  if (whole(a, b)) {
    const product = Number(a) * Number(b);
    if (Number.isSafeInteger(product)) return product + 0;
  }
  return kept(decimalOf(bigOf(exact(a)).times(bigOf(exact(b)))));
}

/** a ÷ b, to the scale of an average (LANG-066). */
export function divide(a: Json, b: Json): number | string {
  const [left, right] = [exact(a), exact(b)];
  if (bigOf(right).eq(0)) throw new ValueFault("it divides by 0");
  near(left, right);
  return kept(divideDecimal(left, right));
}

/** What is left of a ÷ b, with the sign of a. */
export function remainder(a: Json, b: Json): number | string {
  const [left, right] = [exact(a), exact(b)];
  if (bigOf(right).eq(0)) throw new ValueFault("it divides by 0");
  near(left, right);
  return kept(decimalOf(bigOf(left).mod(bigOf(right))));
}

export function negate(a: Json): number | string {
  return kept(decimalOf(bigOf(exact(a)).neg()));
}

export function absolute(a: Json): number | string {
  return kept(decimalOf(bigOf(exact(a)).abs()));
}

const MOST_PLACES = 30;

/** To so many places, halves away from zero; negative places are tens and hundreds. */
export function round(a: Json, places: Json): number | string {
  const count = Number(places);
  if (!Number.isInteger(count) || Math.abs(count) > MOST_PLACES) {
    throw new ValueFault(`it rounds to ${shown(places)} places, which are whole and at most 30`);
  }
  return kept(decimalOf(bigOf(exact(a)).round(count, 1)));
}

/** The nearest whole number at or below, or at or above. */
export function toWhole(a: Json, up: boolean): number | string {
  const big = bigOf(exact(a));
  const cut = big.round(0, 0);
  if (cut.eq(big)) return kept(decimalOf(cut));
  const isAway = up ? big.gt(0) : big.lt(0);
  return kept(decimalOf(isAway ? cut.plus(up ? 1 : -1) : cut));
}

/** A number, or text that is one; anything else is a fault. */
export function toNumber(a: Json): number | string {
  return kept(exact(a));
}

/** Orders two numbers. */
export function compareNumbers(a: Json, b: Json): number {
  return bigOf(exact(a)).cmp(bigOf(exact(b)));
}
