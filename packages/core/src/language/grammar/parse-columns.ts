import { failUnknownFunction } from "../recovery/foreign-values.ts";
import { type Expectation } from "../recovery/failures.ts";
import type { ColumnSource } from "./ast.ts";
import { isFunction } from "./functions.ts";
import { isComparedAt, isComputedAt } from "./operators-ahead.ts";
import { parsePath } from "./parse-names.ts";
import { parseValue } from "./parse-values.ts";
import type { ParserState } from "./parser-state.ts";

/**
 * Reads what a step takes of each row: a column, or a value computed from columns (LANG-048). Only where `compares`
 * says so it may be a comparison, which is true or false.
 */
export function parseColumn(p: ParserState, expected: Expectation, compares = false): ColumnSource {
  const token = p.peek("name");
  const isCall =
    token.type === "name" &&
    isFunction(token.text) &&
    p.text[p.skip(token.end, p.open.length > 0)] === "(";
  const isComputed = isCall || isComputedAt(p.text, token.start);
  if (isComputed || (compares && isComparedAt(p.text, token.start))) {
    return parseValue(p, "columns");
  }
  if (token.type === "name") {
    failUnknownFunction(p, { text: token.text, span: p.span(token.start, token.end) });
  }
  return parsePath(p, expected);
}
