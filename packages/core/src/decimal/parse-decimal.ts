import { Big } from "big.js";
import { type Decimal, decimalOf } from "./decimal.ts";

const SYNTAX = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE]([+-]?\d{1,6}))?$/;
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
