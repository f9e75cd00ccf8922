import { isRelativeDate } from "../../values/relative-date.ts";
import { isDate, isDateShaped } from "../grammar/date-literal.ts";

/**
 * What a run of value characters is (LANG-007): a token, a date or number that is none (`bad_literal`),
 * or text that needs quotes.
 */
export type RunKind =
  | "placeholder"
  | "date"
  | "uuid"
  | "number"
  | "word"
  | "bad-date"
  | "bad-number"
  | "other";

const UUID = /^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const ALMOST_NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const WORD = /^[A-Za-z_][A-Za-z0-9_.:@/-]*$/;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Classifies a run, trying `..`, DATE, UUID, NUMBER and WORD in this order (LANG-007). */
export function runKind(raw: string): RunKind {
  if (raw === "..") return "placeholder";
  if (isDate(raw)) return "date";
  if (UUID.test(raw)) return "uuid";
  if (NUMBER.test(raw)) return "number";
  if (WORD.test(raw) || isRelativeDate(raw)) return "word";
  if (isDateShaped(raw)) return "bad-date";
  return ALMOST_NUMBER.test(raw) ? "bad-number" : "other";
}

/** Whether a run is a NAME. */
export function isName(raw: string): boolean {
  return NAME.test(raw);
}
