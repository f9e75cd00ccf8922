import type { TemporalFormat } from "../../values/value-type.ts";

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
