import { Big } from "big.js";

declare const exact: unique symbol;

/**
 * An exact decimal number. Opaque, since the library behind it is nobody else's concern: made by
 * {@link parseDecimal}, read by the functions of this folder.
 */
export interface Decimal {
  readonly [exact]: true;
}

/** What stands behind an exact number. */
export const bigOf = (decimal: Decimal): Big => decimal as unknown as Big;

/** A number of the library as everyone else has it. */
export const decimalOf = (big: Big): Decimal => big as unknown as Decimal;

const SYNTAX = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE]([+-]?\d{1,6}))?$/;
const ANY_EXPONENT = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const LONGEST = 1000;
const LARGEST_EXPONENT = 10_000;

/**
 * The exact value of a number or of text that is one; null for anything else, for more than 1,000
 * characters and for an exponent beyond ±10,000, which no arithmetic here could hold.
 */
export function parseDecimal(value: number | string): Decimal | null {
  if (typeof value === "number") return Number.isFinite(value) ? decimalOf(new Big(value)) : null;
  if (value.length > LONGEST) return null;
  const match = SYNTAX.exec(value);
  if (match === null) return null;
  if (Math.abs(Number(match[1] ?? 0)) > LARGEST_EXPONENT) return null;
  return decimalOf(new Big(value.startsWith("+") ? value.slice(1) : value));
}

/** Whether a text is a number that {@link parseDecimal} does not keep: too many digits, or too large an exponent. */
export function isBeyondDecimals(text: string): boolean {
  return parseDecimal(text) === null && ANY_EXPONENT.test(text);
}

const FIRST_OF_NUMBER = /^[+\-.\d]/;

/** A text that is how a number is kept which no double holds, as that number; null for any other text (LANG-041, RUN-033). */
export function decimalBeyondDouble(text: string): Decimal | null {
  if (!FIRST_OF_NUMBER.test(text)) return null;
  const decimal = parseDecimal(text);
  if (decimal === null) return null;
  const double = Number(text);
  return Number.isFinite(double) && bigOf(decimal).eq(double) ? null : decimal;
}

/** Orders two exact numbers: negative, 0 or positive. */
export function compareDecimal(a: Decimal, b: Decimal): number {
  return bigOf(a).cmp(bigOf(b));
}

const LONGEST_LITERAL = 100;
const LARGEST_LITERAL_EXPONENT = 400;
const SHORT = /^(?:0|[1-9][0-9]{0,14})(?:\.[0-9]+)?$/;

/** The value of an exact number: a JSON number if a double holds it, else its canonical text (LANG-041). */
export function decimalValue(decimal: Decimal): number | string {
  const big = bigOf(decimal);
  if (big.eq(0)) return 0;
  const double = Number(big.toString());
  const held = Number.isFinite(double) && big.eq(double);
  return held ? double : big.toString().replace("e+", "e");
}

/**
 * A number literal as a value that keeps its exact decimal (LANG-041, CAT-014): a JSON number if
 * parsing as double and printing back does not change it, else canonical decimal text; `-0` is 0.
 * Null if the text is no number, has more than 100 characters or an exponent beyond ±400.
 */
export function numberValue(text: string): number | string | null {
  // Up to 15 digits a double holds every decimal, as most numbers of an API are.
  if (text.length <= 16 && SHORT.test(text)) return Number(text) + 0;
  if (text.length > LONGEST_LITERAL) return null;
  const exponent = /[eE]([+-]?\d+)$/.exec(text)?.[1] ?? "0";
  if (Math.abs(Number(exponent)) > LARGEST_LITERAL_EXPONENT) return null;
  const decimal = parseDecimal(text);
  return decimal === null ? null : decimalValue(decimal);
}

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

/** An exact number with so many digits behind its point, halves rounded away from zero. */
export function fixedDecimal(decimal: Decimal, places: number): string {
  return bigOf(decimal).toFixed(places, 1);
}

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
 * A quotient, rounded half to even: to 15 significant digits, which a JSON number holds, or to two decimal places
 * more than `places`, whichever is finer.
 */
function quotient(dividend: Big, divisor: Big, places: number): Decimal {
  const shift = 10n ** BigInt(Math.max(decimalPlaces(decimalOf(dividend)), 0));
  const over = 10n ** BigInt(Math.max(decimalPlaces(decimalOf(divisor)), 0));
  const above = wholeOf(dividend, shift) * over;
  const below = wholeOf(divisor, over) * shift;
  const significant = SIGNIFICANT - 1 - magnitude(above, below);
  const kept = Math.max(places + FURTHER_PLACES, significant);
  const rounded = roundedQuotient(above * 10n ** BigInt(kept), below);
  const result = new Big(`${rounded}e-${kept}`);
  return decimalOf(dividend.s * divisor.s < 0 ? result.neg() : result);
}

/** The digits of a number without its point: itself times a power of ten that leaves nothing behind the point. */
function wholeOf(big: Big, shift: bigint): bigint {
  return BigInt(big.abs().times(String(shift)).toFixed());
}

/**
 * A sum divided by a count of at least 1, rounded half to even: to 15 significant digits, or to two decimal places
 * more than the addends have, whichever is finer (LANG-066). So the average of equal numbers is that number, however
 * long.
 */
export function meanDecimal(sum: Decimal, count: number, addendPlaces: number): Decimal {
  const big = bigOf(sum);
  return big.eq(0) ? sum : quotient(big, new Big(count), addendPlaces);
}

/** A quotient of two numbers, the divisor not 0, as exact as an average is (LANG-048). */
export function divideDecimal(dividend: Decimal, divisor: Decimal): Decimal {
  const big = bigOf(dividend);
  if (big.eq(0)) return dividend;
  const places = Math.max(decimalPlaces(dividend), decimalPlaces(divisor));
  return quotient(big, bigOf(divisor), places);
}
