import { Big } from "big.js";
import {
  bigOf,
  type Decimal,
  decimalOf,
  decimalValue,
  divideDecimal,
  parseDecimal,
} from "../base/decimal.ts";
import type { Json } from "./value-type.ts";

/** Why a value cannot be computed, in a few words: `it divides by 0` (LANG-048); `fix` says what to write, where that is known. */
export class ValueFault extends Error {
  readonly fix: string | null;

  constructor(message: string, fix: string | null = null) {
    super(message);
    this.fix = fix;
  }
}

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

/**
 * A division that does not come out even and is not carried out yet: what is computed with it stays exact, so that
 * `50 / 60 * 60` is 50 (LANG-048).
 */
export class Quotient {
  readonly above: Decimal;
  readonly below: Decimal;
  /** it carried out, to the scale of an average (LANG-066) */
  readonly rounded: number | string;

  constructor(above: Decimal, below: Decimal, rounded: number | string) {
    this.above = above;
    this.below = below;
    this.rounded = rounded;
  }

  /** How many digits are calculated with, zeros included. */
  get digits(): number {
    return width(bigOf(this.above)) + width(bigOf(this.below));
  }
}

/** A value in the middle of an expression. */
export type Exact = Json | Quotient;

/** A value as it leaves its expression: a quotient is carried out. */
export const settled = (value: Exact): Json => (value instanceof Quotient ? value.rounded : value);

const ONE = decimalOf(new Big(1));
/** Longer parts of a quotient are rounded: nothing that people divide comes near. */
const LONGEST_PART = 200;

/** A number as what is divided and what it is divided by. */
function parts(value: Exact): readonly [above: Big, below: Big] {
  const { above, below } = value instanceof Quotient ? value : { above: exact(value), below: ONE };
  return [bigOf(above), bigOf(below)];
}

const width = ({ c, e }: Big): number => c.length + Math.abs(e);

function greatestDivisor(a: bigint, b: bigint): bigint {
  let [left, right] = [a, b];
  while (right !== 0n) [left, right] = [right, left % right];
  return left;
}

/** A fraction in lowest terms, all powers of ten in what is divided: what comes out even is seen by its few digits. */
function reduced(above: Big, below: Big): readonly [above: Decimal, below: Decimal] {
  const [left, right] = [BigInt(above.c.join("")), BigInt(below.c.join(""))];
  const divisor = greatestDivisor(left, right);
  const tens = above.e - above.c.length - (below.e - below.c.length);
  const dividend = new Big(`${left / divisor}e${tens}`);
  return [
    decimalOf(above.s === below.s ? dividend : dividend.neg()),
    decimalOf(new Big(String(right / divisor))),
  ];
}

function quotient(above: Big, below: Big): number | string | Quotient {
  near(decimalOf(above), decimalOf(below));
  const rounded = kept(divideDecimal(decimalOf(above), decimalOf(below)));
  if (above.c.length > LONGEST_PART || below.c.length > LONGEST_PART) return rounded;
  const [dividend, divisor] = reduced(above, below);
  near(dividend, divisor);
  const carriedOut = divideDecimal(dividend, divisor);
  const isEven = bigOf(carriedOut).times(bigOf(divisor)).eq(bigOf(dividend));
  return isEven ? kept(carriedOut) : new Quotient(dividend, divisor, rounded);
}

/** a + b, where either may be a quotient. */
export function addExactly(a: Exact, b: Exact): Exact {
  if (!(a instanceof Quotient) && !(b instanceof Quotient)) return add(a, b);
  const [[left, over], [right, under]] = [parts(a), parts(b)];
  const [first, second] = [left.times(under), right.times(over)];
  near(decimalOf(first), decimalOf(second));
  return quotient(first.plus(second), over.times(under));
}

/** -a, where a may be a quotient. */
export function negateExactly(a: Exact): Exact {
  return a instanceof Quotient ? quotient(bigOf(a.above).neg(), bigOf(a.below)) : negate(a);
}

/** a - b, where either may be a quotient. */
export function subtractExactly(a: Exact, b: Exact): Exact {
  if (!(a instanceof Quotient) && !(b instanceof Quotient)) return subtract(a, b);
  return addExactly(a, negateExactly(b));
}

/** a × b, where either may be a quotient. */
export function multiplyExactly(a: Exact, b: Exact): Exact {
  if (!(a instanceof Quotient) && !(b instanceof Quotient)) return multiply(a, b);
  const [[left, over], [right, under]] = [parts(a), parts(b)];
  return quotient(left.times(right), over.times(under));
}

/** a ÷ b, where either may be a quotient; throws {@link ValueFault} where b is 0. */
export function divideExactly(a: Exact, b: Exact): Exact {
  const [[left, over], [right, under]] = [parts(a), parts(b)];
  if (right.eq(0)) throw new ValueFault("it divides by 0");
  return quotient(left.times(under), over.times(right));
}

/** a ÷ b, to the scale of an average (LANG-066). */
export const divide = (a: Json, b: Json): Json => settled(divideExactly(a, b));

/** What is left of a ÷ b, with the sign of a, where either may be a quotient. */
export function remainderExactly(a: Exact, b: Exact): Exact {
  if (!(a instanceof Quotient) && !(b instanceof Quotient)) return remainder(a, b);
  const [[left, over], [right, under]] = [parts(a), parts(b)];
  const [dividend, divisor] = [left.times(under), right.times(over)];
  if (divisor.eq(0)) throw new ValueFault("it divides by 0");
  near(decimalOf(dividend), decimalOf(divisor));
  return quotient(dividend.mod(divisor), over.times(under));
}

/** a without its sign, where a may be a quotient. */
export function absoluteExactly(a: Exact): Exact {
  if (!(a instanceof Quotient)) return absolute(a);
  return bigOf(a.above).lt(0) ? negateExactly(a) : a;
}

/** A number, or text that is one, or a quotient; anything else is a fault. */
export const numberExactly = (a: Exact): Exact => (a instanceof Quotient ? a : toNumber(a));

/** What is left of a ÷ b, with the sign of a. */
function remainder(a: Json, b: Json): number | string {
  const [left, right] = [exact(a), exact(b)];
  if (bigOf(right).eq(0)) throw new ValueFault("it divides by 0");
  near(left, right);
  return kept(decimalOf(bigOf(left).mod(bigOf(right))));
}

export function negate(a: Json): number | string {
  return kept(decimalOf(bigOf(exact(a)).neg()));
}

function absolute(a: Json): number | string {
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
function toNumber(a: Json): number | string {
  return kept(exact(a));
}

/** Orders two numbers. */
export function compareNumbers(a: Json, b: Json): number {
  return bigOf(exact(a)).cmp(bigOf(exact(b)));
}
