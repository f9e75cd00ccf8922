import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareInstants, type Instant, instantOf, parseInstant, sameDate } from "./dates.ts";
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
  ["today+99999999d", null],
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
