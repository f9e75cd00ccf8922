import { fromMillis, type Instant, monthsLater } from "./dates.ts";
import { type TimeLength, timeLength } from "./moments.ts";
import type { TemporalFormat } from "./value-type.ts";
import { canonicalDate, wireDate } from "./coerce-value.ts";

const FORM = /^(now|today|yesterday|tomorrow)(?:([+-])(\w+))?$/;
const DAY = 86_400;
const DAYS: Readonly<Record<string, number>> = { yesterday: -1, today: 0, tomorrow: 1 };

/** A relative date in its parts: its word, and by what it is moved; null for any other text. */
function partsOf(text: string): { word: string; sign: 1 | -1; length: TimeLength } | null {
  const [, word, sign, raw = "0d"] = FORM.exec(text) ?? [];
  const length = timeLength(raw);
  return word === undefined || length === null
    ? null
    : { word, sign: sign === "-" ? -1 : 1, length };
}

/** Whether a text is a relative date (LANG-043). */
export function isRelativeDate(text: string): boolean {
  return partsOf(text) !== null;
}

/** 1,900 years: from any today it leads to a date that can be written (LANG-043). */
const FARTHEST = 1_900 * 365 * DAY;
const LONGEST_MONTH = 31 * DAY;

/** Whether a relative date is so near that it is a date whatever the day is. */
export function isWithinReach(text: string): boolean {
  const { length } = partsOf(text) ?? { length: { seconds: 0 } };
  return ("months" in length ? length.months * LONGEST_MONTH : length.seconds) <= FARTHEST;
}

/**
 * A relative date against one reading of the clock in milliseconds, in UTC (LANG-043): a bare date,
 * unless it is `now` or moved by minutes or hours. Null if the text is none, or leaves the years 0
 * to 9999.
 */
export function resolveRelativeDate(text: string, now: number): Instant | null {
  const parts = partsOf(text);
  if (parts === null) return null;
  const { word, sign, length } = parts;
  const today = Math.floor(now / 1000 / DAY) * DAY;
  // Milliseconds stay whole: a clock in seconds would have parts that no double holds.
  const [start, rest] =
    word === "now" ? [Math.floor(now / 1000), now % 1000] : [today + (DAYS[word] ?? 0) * DAY, 0];
  const end =
    "months" in length ? monthsLater(start, sign * length.months) : start + sign * length.seconds;
  const instant = fromMillis(end * 1000 + rest);
  if (instant === null) return null;
  const timed = word === "now" || /[mh]$/.test(text);
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
