import { bigOf, parseDecimal } from "../base/decimal.ts";
import { canonicalDate } from "./coerce-value.ts";
import { type Instant, instantOf, monthsLater, parseInstant } from "./dates.ts";
import { shown, ValueFault } from "./numbers.ts";
import { subtract, add, multiply } from "./numbers.ts";
import type { Json, TemporalFormat } from "./value-type.ts";

const DAY = 86_400;

function instant(value: Json): Instant {
  const read = typeof value === "string" ? parseInstant(value.trim()) : null;
  if (read === null) throw new ValueFault(`${shown(value)} is no date`);
  return read;
}

/** The calendar ends with the year 9999; beyond it nothing can be written. */
function written(seconds: number, nanos: number, bare: boolean): string {
  const at = { seconds, nanos, bare };
  if (!(seconds >= -62_167_219_200 && seconds <= 253_402_300_799)) {
    throw new ValueFault("it leaves the years 0 to 9999");
  }
  return canonicalDate(at);
}

/** A date of a wire format as the text that means the same (PLAN-003). */
export function moment(value: Json, format: TemporalFormat): string {
  const read = instantOf(value, format);
  if (read === null) throw new ValueFault(`${shown(value)} is no date`);
  return canonicalDate(read);
}

const UNIT: Readonly<Record<string, number>> = { m: 60, h: 3600, d: DAY, w: 7 * DAY };

const MONTHS: Readonly<Record<string, number>> = { mo: 1, y: 12 };
const LENGTH = /^(\d+)(mo|[mhdwy])$/;

/** A length of time: of seconds, or of months, which differ in length (LANG-058). */
export type TimeLength = { readonly seconds: number } | { readonly months: number };

/** A length of time as programs write it: `90m`, `2d`, `3mo`, `1y`; null for any other text. */
export function timeLength(raw: string): TimeLength | null {
  const [, count = "", unit = ""] = LENGTH.exec(raw) ?? [];
  const months = MONTHS[unit];
  if (months !== undefined) return { months: Number(count) * months };
  return unit === "" ? null : { seconds: Number(count) * (UNIT[unit] ?? 0) };
}

/** Months as programs write them, in years where they are whole. */
export function monthsText(months: number): string {
  return months !== 0 && months % 12 === 0 ? `${months / 12}y` : `${months}mo`;
}

/** Seconds as programs write a length of time, in the longest unit they are a multiple of; null if of none. */
export function durationText(seconds: number): string | null {
  const unit = Object.entries(UNIT).findLast(([, length]) => seconds % length === 0);
  return unit === undefined ? null : `${seconds / unit[1]}${unit[0]}`;
}

/** A moment later by so many seconds, to the nearest nanosecond; a day stays one where whole days are added. */
export function later(value: Json, seconds: Json): string {
  const from = instant(value);
  const decimal =
    typeof seconds === "number" || typeof seconds === "string" ? parseDecimal(seconds) : null;
  if (decimal === null) throw new ValueFault(`${shown(seconds)} is no length of time`);
  const nanos = bigOf(decimal).times(1e9).plus(from.nanos).round(0, 2);
  const whole = nanos.div(1e9).round(0, 0);
  let at = from.seconds + whole.toNumber();
  let rest = nanos.minus(whole.times(1e9)).toNumber();
  if (rest < 0) {
    at -= 1;
    rest += 1e9;
  }
  const bare = from.bare && rest === 0 && (at - from.seconds) % DAY === 0;
  return written(at, rest, bare);
}

/** A moment so many months later: the same day of that month, or its last (LANG-058). */
export function laterByMonths(value: Json, months: Json): string {
  const from = instant(value);
  const count =
    typeof months === "number" || typeof months === "string" ? parseDecimal(months) : null;
  const whole = count === null ? Number.NaN : bigOf(count).toNumber();
  if (!Number.isSafeInteger(whole))
    throw new ValueFault(`${shown(months)} is no whole number of months`);
  return written(monthsLater(from.seconds, whole), from.nanos, from.bare);
}

/** The seconds from b to a. */
export function secondsBetween(a: Json, b: Json): number | string {
  const [to, from] = [instant(a), instant(b)];
  const whole = subtract(to.seconds, from.seconds);
  return add(whole, multiply(to.nanos - from.nanos, "1e-9"));
}

export type DatePart = "year" | "month" | "week" | "weekday" | "day" | "hour";

/** A part of a moment in UTC: weeks as ISO 8601 counts them, weekdays from Monday, which is 1. */
export function datePart(value: Json, part: DatePart): number {
  const at = new Date(instant(value).seconds * 1000);
  switch (part) {
    case "year":
      return at.getUTCFullYear();
    case "month":
      return at.getUTCMonth() + 1;
    case "week":
      return isoWeek(at);
    case "weekday":
      return at.getUTCDay() || 7;
    case "day":
      return at.getUTCDate();
    case "hour":
      return at.getUTCHours();
  }
}

/** A week belongs to the year that its Thursday is in. */
function isoWeek(at: Date): number {
  const midnight = Math.floor(at.getTime() / (DAY * 1000));
  const thursday = new Date((midnight + 4 - (at.getUTCDay() || 7)) * DAY * 1000);
  const first = Date.UTC(thursday.getUTCFullYear(), 0, 1);
  return Math.floor((thursday.getTime() - first) / (7 * DAY * 1000)) + 1;
}

/** The units a moment may be cut to. */
export const DATE_UNITS = ["hour", "day", "week", "month", "quarter", "year"] as const;

/** The start of the hour, day, week, month, quarter or year that a moment is in; but for hours a day. */
export function startOf(value: Json, unit: Json): string {
  const { seconds } = instant(value);
  const at = new Date(seconds * 1000);
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()];
  const day = Math.floor(seconds / DAY);
  const first = (inMonth: number): number => {
    const start = new Date(0);
    start.setUTCFullYear(year, inMonth, 1);
    return start.getTime() / 1000;
  };
  switch (unit) {
    case "hour":
      return written(Math.floor(seconds / 3600) * 3600, 0, false);
    case "day":
      return written(day * DAY, 0, true);
    case "week":
      return written((day - ((at.getUTCDay() || 7) - 1)) * DAY, 0, true);
    case "month":
      return written(first(month), 0, true);
    case "quarter":
      return written(first(month - (month % 3)), 0, true);
    case "year":
      return written(first(0), 0, true);
    default:
      throw new ValueFault(`${shown(unit)} is no unit: ${DATE_UNITS.join(", ")}`);
  }
}
