import { bigOf, parseDecimal } from "../base/decimal.ts";
import type { Json, TemporalFormat } from "./value-type.ts";

/** A point in time, exact to the nanosecond; a bare date is UTC midnight (RUN-113). */
export interface Instant {
  /** Whole seconds since 1970 in UTC, rounded down. */
  readonly seconds: number;
  /** 0 to 999,999,999 beyond `seconds`. */
  readonly nanos: number;
  /** Whether it was written as a date without time. */
  readonly bare: boolean;
}

const DAY = 86_400;
const FIRST_SECOND = -62_167_219_200;
const LAST_SECOND = 253_402_300_799;

/** The forms of LANG-006, and what APIs make of them: blanks for T, offsets without colon, UTC. */
const ISO =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9})\d*)?)?(?: ?(?:[Zz]|UTC|GMT)|([+-])(\d\d)(?::?(\d\d))?)?)?$/;
/** A date of mail headers; only with a zone, since the machine's own must not matter. */
const MAIL =
  /^(?:[A-Za-z]{3}, )?\d{1,2} [A-Za-z]{3} \d{4} \d\d:\d\d(?::\d\d)? (?:GMT|UTC|[+-]\d{4})$/;

/** The instant a date text means, in UTC unless it says otherwise; null if it means none. */
export function parseInstant(text: string): Instant | null {
  const parts = ISO.exec(text);
  if (parts === null) return MAIL.test(text) ? fromMillis(Date.parse(text)) : null;
  const at = (group: number): number => Number(parts[group] ?? 0);
  const midnight = new Date(0);
  midnight.setUTCFullYear(at(1), at(2) - 1, at(3));
  if (midnight.getUTCMonth() !== at(2) - 1 || midnight.getUTCDate() !== at(3)) return null;
  if (at(4) > 23 || at(5) > 59 || at(6) > 60 || at(9) > 23 || at(10) > 59) return null;
  const offset = (at(9) * 60 + at(10)) * (parts[8] === "-" ? -60 : 60);
  const seconds = midnight.getTime() / 1000 + at(4) * 3600 + at(5) * 60 + at(6) - offset;
  const nanos = Number((parts[7] ?? "").padEnd(9, "0"));
  return inCalendar({ seconds, nanos, bare: parts[4] === undefined });
}

/** The instant of a value in a wire format: text, or a number in a unix format's unit. */
export function instantOf(value: Json, format: TemporalFormat): Instant | null {
  if (typeof value !== "number" && typeof value !== "string") return null;
  if (format === "unix_sec" || format === "unix_ms") {
    const decimal = parseDecimal(typeof value === "string" ? value.trim() : value);
    if (decimal !== null) {
      const big = bigOf(decimal);
      const seconds = format === "unix_sec" ? big : big.times("0.001");
      const floor = Math.floor(seconds.toNumber());
      const nanos = seconds.minus(floor).times(1e9).round(0, 0).toNumber();
      return inCalendar({ seconds: floor, nanos, bare: false });
    }
  }
  return typeof value === "string" ? parseInstant(value.trim()) : null;
}

/** An instant from milliseconds since 1970; null outside the years 0 to 9999. */
export function fromMillis(ms: number): Instant | null {
  const seconds = Math.floor(ms / 1000);
  return inCalendar({ seconds, nanos: Math.floor((ms - seconds * 1000) * 1e6), bare: false });
}

function inCalendar(instant: Instant): Instant | null {
  const { seconds } = instant;
  return seconds >= FIRST_SECOND && seconds <= LAST_SECOND ? instant : null;
}

/**
 * Seconds since 1970 that are so many whole months later, or earlier if negative: the same day of that month and
 * time of day, or the month's last day where it is shorter (LANG-058).
 */
export function monthsLater(seconds: number, months: number): number {
  const day = Math.floor(seconds / DAY);
  const at = new Date(day * DAY * 1000);
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth() + months];
  const last = new Date(0);
  last.setUTCFullYear(year, month + 1, 0);
  last.setUTCDate(Math.min(at.getUTCDate(), last.getUTCDate()));
  return last.getTime() / 1000 + (seconds - day * DAY);
}

/** Orders two instants. */
export function compareInstants(a: Instant, b: Instant): number {
  return a.seconds - b.seconds || a.nanos - b.nanos;
}

/** Whether two dates are equal: a bare one and one with a time if they share the UTC day (RUN-113). */
export function sameDate(a: Instant, b: Instant): boolean {
  if (a.bare === b.bare) return compareInstants(a, b) === 0;
  return Math.floor(a.seconds / DAY) === Math.floor(b.seconds / DAY);
}
