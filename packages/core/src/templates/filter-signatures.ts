import type { TemporalFormat } from "../values/value-type.ts";
/** A filter's arguments: how it is written, and how many it needs and takes. */
interface Signature {
  readonly usage: string;
  readonly least: number;
  readonly most: number;
}

const signature = (usage: string, least: number, most = least): Signature => ({
  usage,
  least,
  most,
});

/** The filters of RUN-101; there are no others. */
export const filterSignatures = {
  lower: signature("lower", 0),
  upper: signature("upper", 0),
  trim: signature("trim", 0),
  replace: signature("replace(from, to)", 2),
  default: signature("default(value) or default(value, true)", 0, 2),
  length: signature("length", 0),
  first: signature("first", 0),
  last: signature("last", 0),
  join: signature("join(separator)", 0, 1),
  slice: signature("slice(from) or slice(from, to), as x[from:to]", 1, 2),
  sum: signature('sum, or sum("column") of rows', 0, 1),
  money: signature("money, with two decimal places", 0),
  date: signature('date or date("%d.%m.%Y")', 0, 1),
  int: signature("int", 0),
  round: signature("round or round(digits)", 0, 1),
  urlencode: signature("urlencode", 0),
  json_encode: signature("json_encode", 0),
  strip_trailing_slash: signature("strip_trailing_slash", 0),
  wire_time: signature("wire_time(format)", 1),
  wire_query_suffix: signature("wire_query_suffix", 0),
  split: signature("split(separator)", 1),
  split_part: signature("split_part(separator, number)", 2),
  join_sanitize: signature("join_sanitize(separator, split)", 2),
  sanitize_identifier: signature("sanitize_identifier", 0),
} as const satisfies Readonly<Record<string, Signature>>;

export type FilterName = keyof typeof filterSignatures;

export const filterNames: readonly string[] = Object.keys(filterSignatures);

export function isFilterName(name: string): name is FilterName {
  return Object.hasOwn(filterSignatures, name);
}

/** The formats of `wire_time`: those that a date value can have (catalog format, section 4). */
export const WIRE_TIME_FORMATS = [
  "rfc3339",
  "iso8601_date",
  "unix_ms",
  "unix_sec",
] as const satisfies readonly TemporalFormat[];

export function isWireTimeFormat(text: string): text is TemporalFormat {
  return WIRE_TIME_FORMATS.some((format) => format === text);
}
