import type { TemporalFormat } from "@plasm/core";
import { instantOf } from "./instant.ts";

const RELATIVE = /^(now|today|yesterday|tomorrow)(?:([+-])(\d+)([mhdw]))?$/;
const DAY = 86_400_000;
const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: DAY, w: 7 * DAY };
const DAYS: Readonly<Record<string, number>> = { yesterday: -1, today: 0, tomorrow: 1 };

/**
 * A relative date as date text against one clock reading, in UTC (LANG-043): a bare date, unless it
 * is `now` or moved by minutes or hours. Null if the text is none, or leaves the calendar.
 */
export function resolveRelativeDate(text: string, now: number): string | null {
  const [, word, sign, count, unit] = RELATIVE.exec(text) ?? [];
  if (word === undefined) return null;
  const start = word === "now" ? now : (Math.floor(now / DAY) + (DAYS[word] ?? 0)) * DAY;
  const shift = Number(count ?? 0) * (UNITS[unit ?? "d"] ?? 0) * (sign === "-" ? -1 : 1);
  const ms = start + shift;
  if (Math.abs(ms) > 8.64e15) return null;
  const iso = new Date(ms).toISOString();
  const timed = word === "now" || unit === "m" || unit === "h";
  return timed ? iso : iso.slice(0, 10);
}

/** Date text as a slot of a format takes it, in UTC (RUN-016); null if it is no date. */
export function wireDate(text: string, format: TemporalFormat): string | number | null {
  const instant = instantOf(text, format);
  if (instant === null) return null;
  const iso = new Date(instant.ms).toISOString();
  switch (format) {
    case "rfc3339":
      return iso.replace(".000Z", "Z");
    case "iso8601_date":
      return iso.slice(0, 10);
    case "unix_sec":
      return Math.floor(instant.ms / 1000);
    case "unix_ms":
      return instant.ms;
  }
}
