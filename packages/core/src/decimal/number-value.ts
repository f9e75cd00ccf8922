import { bigOf, type Decimal } from "./decimal.ts";
import { parseDecimal } from "./parse-decimal.ts";

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
