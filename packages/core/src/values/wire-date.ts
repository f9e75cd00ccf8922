import type { Instant } from "./instant.ts";
import type { TemporalFormat } from "./value-type.ts";

/** An instant as a wire format writes it, in UTC (RUN-016). */
export function wireDate(instant: Instant, format: TemporalFormat): string | number {
  switch (format) {
    case "rfc3339":
      return `${isoSeconds(instant)}${fraction(instant)}Z`;
    case "iso8601_date":
      return isoSeconds(instant).slice(0, 10);
    case "unix_sec":
      return instant.seconds;
    case "unix_ms":
      return instant.seconds * 1000 + Math.floor(instant.nanos / 1e6);
  }
}

/** An instant as a plan writes it: a bare date as such, else with time and `Z` (PLAN-003). */
export function canonicalDate(instant: Instant): string {
  return String(wireDate(instant, instant.bare ? "iso8601_date" : "rfc3339"));
}

function isoSeconds({ seconds }: Instant): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19);
}

function fraction({ nanos }: Instant): string {
  return nanos === 0 ? "" : `.${String(nanos).padStart(9, "0").replace(/0+$/, "")}`;
}
