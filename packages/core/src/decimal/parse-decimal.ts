import { Big } from "big.js";
import { bigOf, type Decimal, decimalOf } from "./decimal.ts";

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
