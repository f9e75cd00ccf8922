import { isDate } from "../../language/date-literal.ts";
import type { TemporalFormat } from "../../values/value-type.ts";

const RELATIVE = /^(?:now|today|yesterday|tomorrow)(?:[+-][0-9]+[mhdw])?$/;

/** Whether a word is a relative date (LANG-043). */
export function isRelativeDate(word: string): boolean {
  return RELATIVE.test(word);
}

/**
 * A date literal in canonical form: `YYYY-MM-DD` keeps its precision, a time becomes UTC with `Z`.
 * Null if the text is no date of LANG-006.
 */
export function canonicalDate(text: string): string | null {
  if (!isDate(text)) return null;
  if (text.length === 10) return text;
  const { seconds, fraction } = instantOf(text);
  return `${isoSeconds(seconds)}${fraction}Z`;
}

/** A date literal as its slot is written on the wire, in UTC (RUN-016). Null if it is no date. */
export function wireDate(text: string, format: TemporalFormat): string | number | null {
  if (!isDate(text)) return null;
  const { seconds, fraction } = instantOf(text);
  switch (format) {
    case "rfc3339":
      return `${isoSeconds(seconds)}${fraction}Z`;
    case "iso8601_date":
      return isoSeconds(seconds).slice(0, 10);
    case "unix_sec":
      return seconds;
    case "unix_ms":
      return seconds * 1000 + Number(`${fraction.slice(1)}000`.slice(0, 3));
  }
}

/** An integer in the unit of a unix format as a canonical date, else null. */
export function dateOfUnix(value: number, format: TemporalFormat): string | null {
  if (format !== "unix_sec" && format !== "unix_ms") return null;
  const ms = format === "unix_sec" ? value * 1000 : value;
  if (!Number.isSafeInteger(value) || Math.abs(ms) > 8.64e15) return null;
  return new Date(ms).toISOString().replace(".000Z", "Z");
}

/** Whole seconds since the epoch, and the fraction as written after them, `.` included, or nothing. */
function instantOf(text: string): { readonly seconds: number; readonly fraction: string } {
  const parts =
    /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(\.\d+)?)?(?:Z|([+-])(\d\d):(\d\d))?)?$/.exec(
      text,
    );
  const at = (group: number): number => Number(parts?.[group] ?? 0);
  const day = new Date(0);
  day.setUTCFullYear(at(1), at(2) - 1, at(3));
  const offset = (at(9) * 60 + at(10)) * (parts?.[8] === "-" ? -60 : 60);
  const seconds = day.getTime() / 1000 + at(4) * 3600 + at(5) * 60 + at(6) - offset;
  return { seconds, fraction: (parts?.[7] ?? "").replace(/\.?0+$/, "") };
}

function isoSeconds(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, -5);
}
