/** The functions of values, by name (LANG-049); what each takes and gives is the check's. */
export const FUNCTIONS = [
  "abs",
  "avg",
  "ceil",
  "coalesce",
  "contains",
  "count",
  "date",
  "day",
  "ends_with",
  "exists",
  "file",
  "first",
  "floor",
  "hour",
  "if",
  "insert",
  "join",
  "kept",
  "last",
  "length",
  "lower",
  "max",
  "min",
  "month",
  "number",
  "remove",
  "replace",
  "round",
  "set",
  "split",
  "start_of",
  "starts_with",
  "sum",
  "text",
  "trim",
  "upper",
  "week",
  "weekday",
  "year",
] as const;

export type FunctionName = (typeof FUNCTIONS)[number];

/** What functions are called in other languages. */
const ALIASES: Readonly<Record<string, FunctionName>> = {
  edit: "replace",
  insertafter: "insert",
  insertbefore: "insert",
  json_remove: "remove",
  json_set: "set",
  jsonb_set: "set",
  replaceall: "replace",
  replace_all: "replace",
  replacefirst: "replace",
  unset: "remove",
  ceiling: "ceil",
  char_length: "length",
  endswith: "ends_with",
  float: "number",
  ifnull: "coalesce",
  iif: "if",
  includes: "contains",
  int: "floor",
  isnull: "coalesce",
  lcase: "lower",
  len: "length",
  mean: "avg",
  nvl: "coalesce",
  size: "length",
  startswith: "starts_with",
  str: "text",
  string: "text",
  strip: "trim",
  to_number: "number",
  to_string: "text",
  tolower: "lower",
  tolowercase: "lower",
  tostring: "text",
  toupper: "upper",
  touppercase: "upper",
  trunc: "floor",
  ucase: "upper",
};

/** The function that a name means, as it is or in another language; null if it means none. */
export function functionCalled(name: string): FunctionName | null {
  const lower = name.toLowerCase();
  if (isFunction(lower)) return lower;
  return Object.hasOwn(ALIASES, lower) ? (ALIASES[lower] ?? null) : null;
}

/** Whether a name of `replace` in another language says that all places are meant: `.replaceAll(` (LANG-056). */
export const isOfAll = (name: string): boolean => /(?:^|\.)replace_?all$/i.test(name);

const NAMES: ReadonlySet<string> = new Set(FUNCTIONS);

/** Whether a name is one of a function of values. */
export function isFunction(name: string): name is FunctionName {
  return NAMES.has(name);
}
