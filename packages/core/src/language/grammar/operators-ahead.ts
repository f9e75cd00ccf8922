import type { BinaryOperator } from "./ast-values.ts";
import { matchAt } from "./limits.ts";

/** An operator that a text goes on with. */
export interface OperatorAhead {
  readonly op: BinaryOperator;
  readonly end: number;
  readonly level: number;
}

/** How close operators bind, the loosest first (LANG-048). */
export const LEVELS = Object.freeze({ or: 1, and: 2, not: 3, comparison: 4, sum: 5, product: 6 });

/** `--` and `//` begin comments of other languages, `->` is no operator anywhere here. */
const ARITHMETIC = /[*%]|[+/-](?![+/>-])/y;
const COMPARISON = /!=(?!=)|<=|>=|<(?![<>=])|>(?!=)|=(?![=>])|~|in\b(?=\s*[[A-Za-z_(])/y;
const LOGIC = /(?:and|or)\b/y;

/** The operator at an offset, or null; `arithmetic` looks for none that gives true or false. */
export function operatorAt(text: string, at: number, arithmetic: boolean): OperatorAhead | null {
  const sum = matchAt(ARITHMETIC, text, at)?.[0];
  if (sum !== undefined) {
    const level = sum === "+" || sum === "-" ? LEVELS.sum : LEVELS.product;
    return { op: sum as BinaryOperator, end: at + sum.length, level };
  }
  if (arithmetic) return null;
  const comparison = matchAt(COMPARISON, text, at)?.[0];
  if (comparison !== undefined) {
    const op = comparison as BinaryOperator;
    return { op, end: at + comparison.length, level: LEVELS.comparison };
  }
  const logic = matchAt(LOGIC, text, at)?.[0];
  if (logic === undefined) return null;
  const op = logic as "and" | "or";
  return { op, end: at + logic.length, level: LEVELS[op] };
}

const CURSOR =
  /_(?![A-Za-z0-9_])(?:\.(?:[A-Za-z_][A-Za-z0-9_]*(?:-(?!_\.)[A-Za-z_][A-Za-z0-9_]*)*|\d+))*\.?/y;
const LABEL = /[A-Za-z_]\w*(?:\.(?:[A-Za-z_]\w*(?:-(?!_\.)[A-Za-z_]\w*)*|\d+))*\.?/y;
const COLUMN =
  /[A-Za-z_][A-Za-z0-9_]*(?:\.(?:[A-Za-z_][A-Za-z0-9_]*(?:-(?!_\.)[A-Za-z0-9_]+)*|\d+))*\.?/y;
const NUMBER = /\d+(?:\.\d+)?(?=[+/-])/y;
const BEFORE_CURSOR = /[+/-](?=_\.[A-Za-z_])/;

/**
 * The first operand of a run of value characters, which may hold operators: `_.a/2`, `now-_.due`; behind a column
 * of `columns`, behind a cell of a label, and behind a sign, any sign is one. A word of text keeps its signs (LANG-007).
 */
export function operandOf(
  raw: string,
  meant: "columns" | "label" | "text",
  isBehindSign: boolean,
): string {
  if (meant === "columns" || isBehindSign) {
    const number = matchAt(NUMBER, raw, 0)?.[0];
    if (number !== undefined) return number;
  }
  if (raw.startsWith("_") || meant === "label") {
    const cursor = matchAt(meant === "label" ? LABEL : CURSOR, raw, 0)?.[0];
    const goesOn = /[+/-]/.test(raw[cursor?.length ?? 0] ?? "+");
    if (cursor !== undefined && goesOn) return cursor;
  }
  if (meant === "columns") {
    const column = matchAt(COLUMN, raw, 0)?.[0];
    if (column !== undefined) return column;
  }
  const cut = BEFORE_CURSOR.exec(raw);
  return cut === null || cut.index === 0 ? raw : raw.slice(0, cut.index);
}

const PATH = String.raw`[A-Za-z_]\w*(?:\.(?:\w+(?:-\w+)*(?![\w-])|"[^"\n]*"|'[^'\n]*'))*`;
const SIGN = String.raw`[*%]|[+/-](?![+/>-])|\[\s*-?\d*\s*:?\s*-?\d*\s*\]`;
const TEXT = String.raw`"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'`;
const COMPUTED = new RegExp(
  String.raw`${PATH}\s*(?:${SIGN})|-[A-Za-z_(]|\d[\d.]*\s*(?:[*%<>]|[+/-](?![+/>-]))|(?:${TEXT})\s*(?:[+]|in\b)|_\.|\(`,
  "y",
);
const COMPARED = new RegExp(
  String.raw`not\b(?=\s*[\w("'-])|(?:${PATH}|\d[\d.]*|${TEXT})\s*(?:!=|[<>~*/%+-]|=(?![=>])|(?<!\w)in\b)`,
  "y",
);

/** Whether what begins at an offset is computed from columns, and is no column alone. */
export function isComputedAt(text: string, at: number): boolean {
  return matchAt(COMPUTED, text, at) !== null;
}

const ARITHMETIC_PATH = new RegExp(String.raw`${PATH}[ \t]*(?:[*%]|[+/-](?![+/>-]))`, "y");

/** Whether a path at an offset is followed by a sign of arithmetic. */
export function isArithmeticAt(text: string, at: number): boolean {
  return matchAt(ARITHMETIC_PATH, text, at) !== null;
}

/** Whether what begins at an offset compares a column. */
export function isComparedAt(text: string, at: number): boolean {
  return matchAt(COMPARED, text, at) !== null;
}
