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
  "first",
  "floor",
  "hour",
  "if",
  "join",
  "last",
  "length",
  "lower",
  "max",
  "min",
  "month",
  "number",
  "replace",
  "round",
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

const NAMES: ReadonlySet<string> = new Set(FUNCTIONS);

/** Whether a name is one of a function of values. */
export function isFunction(name: string): name is FunctionName {
  return NAMES.has(name);
}
