import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  compareInstants,
  type Instant,
  instantOf,
  monthsLater,
  parseInstant,
  sameDate,
} from "./dates.ts";
import { laterByMonths } from "./moments.ts";
import { isRelativeDate, relativeDateValue, resolveRelativeDate } from "./relative-date.ts";
import type { TemporalFormat } from "./value-type.ts";
import { canonicalDate, wireDate } from "./coerce-value.ts";

const instant = (text: string): Instant => {
  const parsed = parseInstant(text);
  if (parsed === null) throw new Error(`${text} is no date`);
  return parsed;
};

test.each<[string, string | null]>([
  ["2026-01-05", "2026-01-05"],
  ["2026-01-05T10:00", "2026-01-05T10:00:00Z"],
  ["2026-01-05T10:00:00Z", "2026-01-05T10:00:00Z"],
  ["2026-01-05T10:00:00.120Z", "2026-01-05T10:00:00.12Z"],
  ["2026-01-05T10:00:00.123456789Z", "2026-01-05T10:00:00.123456789Z"],
  ["2026-01-05T00:30:00+02:00", "2026-01-04T22:30:00Z"],
  ["2026-01-05 10:00:00 UTC", "2026-01-05T10:00:00Z"],
  ["2026-01-05T10:00:00+0100", "2026-01-05T09:00:00Z"],
  ["Mon, 05 Jan 2026 10:00:00 GMT", "2026-01-05T10:00:00Z"],
  ["2024-02-29", "2024-02-29"],
  ["2026-02-29", null],
  ["2026-13-01", null],
  ["2026-01-05T24:00", null],
  ["Mon, 05 Jan 2026 10:00:00", null],
  ["5 January", null],
  ["", null],
])("%s is %s", (text, canonical) => {
  const parsed = parseInstant(text);
  expect(parsed && canonicalDate(parsed)).toBe(canonical);
});

describe("RUN-016: dates become the value_format, in UTC", () => {
  test.each<[TemporalFormat, string | number]>([
    ["rfc3339", "2026-01-04T22:30:00.5Z"],
    ["iso8601_date", "2026-01-04"],
    ["unix_sec", 1767565800],
    ["unix_ms", 1767565800500],
  ])("%s", (format, wire) => {
    expect(wireDate(instant("2026-01-05T00:30:00.5+02:00"), format)).toBe(wire);
  });

  test("what a format writes, it reads", () => {
    const formats = fc.constantFrom<TemporalFormat>("rfc3339", "unix_ms");
    const millis = fc.integer({ min: -62_167_219_200_000, max: 253_402_300_799_999 });
    fc.assert(
      fc.property(formats, millis, (format, ms) => {
        const read = instant(new Date(ms).toISOString());
        expect(instantOf(ms, "unix_ms")).toEqual(read);
        expect(instantOf(wireDate(read, format), format)).toEqual(read);
        expect(wireDate(read, "unix_ms")).toBe(ms);
        expect(new Date(ms).toISOString().startsWith(String(wireDate(read, "iso8601_date")))).toBe(
          true,
        );
      }),
    );
  });

  test("unix formats take text and fractions; others no numbers", () => {
    expect(instantOf("1767565800", "unix_sec")).toEqual(instantOf(1767565800, "unix_sec"));
    expect(instantOf(1.5, "unix_sec")).toEqual({ seconds: 1, nanos: 500_000_000, bare: false });
    expect(instantOf(1767565800, "rfc3339")).toBeNull();
    expect(instantOf(1e20, "unix_sec")).toBeNull();
  });
});

test("RUN-113: a bare date is UTC midnight, but equal to any time of its UTC day", () => {
  const day = instant("2026-01-05");
  expect(compareInstants(day, instant("2026-01-05T00:00:00Z"))).toBe(0);
  expect(sameDate(day, instant("2026-01-05T23:59:59Z"))).toBe(true);
  expect(sameDate(day, instant("2026-01-05T23:30:00-01:00"))).toBe(false);
  expect(sameDate(day, instant("2026-01-06"))).toBe(false);
  expect(sameDate(instant("2026-01-05T01:00Z"), instant("2026-01-05T02:00Z"))).toBe(false);
});

test.each<[string, string | null]>([
  ["now", "2026-01-05T10:20:30.5Z"],
  ["today", "2026-01-05"],
  ["yesterday", "2026-01-04"],
  ["tomorrow", "2026-01-06"],
  ["today-7d", "2025-12-29"],
  ["today+1w", "2026-01-12"],
  ["today-1h", "2026-01-04T23:00:00Z"],
  ["now+90m", "2026-01-05T11:50:30.5Z"],
  ["now-1d", "2026-01-04T10:20:30.5Z"],
  ["today-1mo", "2025-12-05"],
  ["today+2y", "2028-01-05"],
  ["now-13mo", "2024-12-05T10:20:30.5Z"],
  ["today+99999999d", null],
  ["today+99999999y", null],
  ["next week", null],
  ["today-7", null],
])("LANG-043: %s is %s", (text, date) => {
  const resolved = resolveRelativeDate(text, Date.UTC(2026, 0, 5, 10, 20, 30, 500));
  expect(resolved && canonicalDate(resolved)).toBe(date);
  expect(isRelativeDate(text)).toBe(date !== null || text.includes("99999999"));
});

test.each<[string, TemporalFormat | null, string | number | null]>([
  ["now", "rfc3339", "2026-01-05T10:20:30Z"],
  ["now-1h", "rfc3339", "2026-01-05T09:20:30Z"],
  ["today", "rfc3339", "2026-01-05T00:00:00Z"],
  ["now-1d", "iso8601_date", "2026-01-04"],
  ["now", "unix_sec", 1767608430],
  ["now", "unix_ms", 1767608430500],
  ["now-1h", null, "2026-01-05T09:20:30Z"],
  ["today-7d", null, "2025-12-29"],
  ["today+99999999d", "rfc3339", null],
])("RUN-016, LANG-043: %s for %s is %s, in whole seconds", (text, format, expected) => {
  const now = Date.UTC(2026, 0, 5, 10, 20, 30, 500);
  expect(relativeDateValue(text, now, format)).toBe(expected);
});

describe("LANG-058: months are counted in the calendar", () => {
  test.each<[string, number, string]>([
    ["2026-01-31", 1, "2026-02-28"],
    ["2028-01-31", 1, "2028-02-29"],
    ["2026-03-31", -1, "2026-02-28"],
    ["2028-02-29", 12, "2029-02-28"],
    ["2026-11-30", 3, "2027-02-28"],
    ["2026-01-15T23:59:59.5Z", -1, "2025-12-15T23:59:59.5Z"],
    ["0004-02-29", -12, "0003-02-28"],
  ])("%s and %i months are %s", (from, months, to) => {
    expect(laterByMonths(from, months)).toBe(to);
  });

  test("one lands in the month that was counted to, on its day or its last", () => {
    const day = fc.integer({ min: 0, max: 80_000 }).map((n) => n * 86_400);
    fc.assert(
      fc.property(day, fc.integer({ min: -500, max: 500 }), (seconds, months) => {
        const from = new Date(seconds * 1000);
        const to = new Date(monthsLater(seconds + 3_723, months) * 1000);
        const count = (at: Date): number => at.getUTCFullYear() * 12 + at.getUTCMonth();
        expect(count(to) - count(from)).toBe(months);
        expect(to.getUTCHours() * 3600 + to.getUTCMinutes() * 60 + to.getUTCSeconds()).toBe(3_723);
        const isLast = new Date(to.getTime() + 86_400_000).getUTCDate() === 1;
        const [had, has] = [from.getUTCDate(), to.getUTCDate()];
        expect(has === had || (isLast && has < had)).toBe(true);
      }),
    );
  });

  test.each([
    ["2026-01-31", 1.5, "1.5 is no whole number of months"],
    ["2026-01-31", "x", "is no whole number of months"],
    ["9999-12-31", 1, "it leaves the years 0 to 9999"],
    ["2026-01-31", 1e15, "it leaves the years 0 to 9999"],
  ])("%s and %s months are none", (from, months, fault) => {
    expect(() => laterByMonths(from, months)).toThrow(fault);
  });
});
