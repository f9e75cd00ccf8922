import { matchAt } from "./limits.ts";

/** Names that are operators when `(` follows them, and `filter` when `{` does (LANG-024). */
export const OPERATORS: readonly string[] = [
  "limit",
  "page_size",
  "singleton",
  "sort",
  "aggregate",
  "group_by",
  "distinct",
  "filter",
];

/** Names that are operators when rows stand first in their parentheses; with `()` or `(name=…)` they are methods. */
export const JOINS = ["join", "left_join"] as const;

/** Behind the name of a join: its parenthesis, and a name that is given no value. */
const JOINED = /[ \t]*\(\s*[A-Za-z_]\w*(?!\w)(?!\s*=(?!=))/y;

/** Whether a name behind a dot is an operator there. */
export function isOperatorAt(
  text: string,
  name: { readonly text: string; readonly end: number },
): boolean {
  if (OPERATORS.includes(name.text)) return true;
  return JOINS.some((join) => join === name.text) && matchAt(JOINED, text, name.end) !== null;
}
