import { isDate } from "../../language/date-literal.ts";
import { type Instant, instantOf, parseInstant } from "../../values/instant.ts";
import type { TemporalFormat } from "../../values/value-type.ts";

/** The instant of a date literal; null if the text is no date of LANG-006. */
export function literalInstant(text: string): Instant | null {
  return isDate(text) ? parseInstant(text) : null;
}

/** The instant of an integer in the unit of a unix format, else null. */
export function unixInstant(value: number, format: TemporalFormat): Instant | null {
  if (!Number.isSafeInteger(value)) return null;
  return format === "unix_sec" || format === "unix_ms" ? instantOf(value, format) : null;
}
