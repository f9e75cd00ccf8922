import { fromMillis, type Instant, monthsLater } from "./dates.ts";
import type { TemporalFormat } from "./value-type.ts";
import { canonicalDate, wireDate } from "./coerce-value.ts";

const FORM = /^(now|today|yesterday|tomorrow)(?:([+-])(\d+)(mo|[mhdwy]))?$/;
const DAY = 86_400_000;
const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: DAY, w: 7 * DAY };
const MONTHS: Readonly<Record<string, number>> = { mo: 1, y: 12 };
const DAYS: Readonly<Record<string, number>> = { yesterday: -1, today: 0, tomorrow: 1 };

/** Whether a text is a relative date (LANG-043). */
export function isRelativeDate(text: string): boolean {
  return FORM.test(text);
}

/** 1,900 years: from any today it leads to a date that can be written (LANG-043). */
const FARTHEST = 1_900 * 365 * DAY;
const LONGEST_MONTH = 31 * DAY;

/** Whether a relative date is so near that it is a date whatever the day is. */
export function isWithinReach(text: string): boolean {
  const [, , , count = "0", unit = "d"] = FORM.exec(text) ?? [];
  const length = UNITS[unit] ?? (MONTHS[unit] ?? 0) * LONGEST_MONTH;
  return Number(count) * length <= FARTHEST;
}

/**
 * A relative date against one reading of the clock in milliseconds, in UTC (LANG-043): a bare date,
 * unless it is `now` or moved by minutes or hours. Null if the text is none, or leaves the years 0
 * to 9999.
 */
export function resolveRelativeDate(text: string, now: number): Instant | null {
  const [, word, sign, count = "0", unit = "d"] = FORM.exec(text) ?? [];
  if (word === undefined) return null;
  const start = word === "now" ? now : (Math.floor(now / DAY) + (DAYS[word] ?? 0)) * DAY;
  const shift = Number(count) * (sign === "-" ? -1 : 1);
  const months = MONTHS[unit];
  const end =
    months === undefined
      ? start + shift * (UNITS[unit] ?? 0)
      : monthsLater(start / 1000, shift * months) * 1000;
  const instant = fromMillis(end);
  if (instant === null) return null;
  const timed = word === "now" || unit === "m" || unit === "h";
  return timed ? instant : { ...instant, bare: true };
}

/**
 * A relative date as a slot of a format takes it, or as text where the format is null. The clock is
 * finer than what is meant, and APIs refuse fractions: whole seconds, unless the format is in
 * milliseconds (LANG-043, RUN-016). Null as in {@link resolveRelativeDate}.
 */
export function relativeDateValue(
  text: string,
  now: number,
  format: TemporalFormat | null,
): string | number | null {
  const instant = resolveRelativeDate(text, now);
  if (instant === null) return null;
  if (format === "unix_ms") return wireDate(instant, format);
  const whole = { ...instant, nanos: 0 };
  return format === null ? canonicalDate(whole) : wireDate(whole, format);
}
