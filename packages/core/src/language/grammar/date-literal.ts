const SHAPE =
  /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?:Z|[+-](\d{2}):(\d{2}))?)?$/;

/** Whether a run looks as if a date were meant: it is a DATE or `bad_literal` (LANG-007). */
export function isDateShaped(run: string): boolean {
  return /^\d{4}-\d{1,2}-\d{1,2}(?:[Tt].*)?$/.test(run);
}

/** Whether a run is an existing date or date with time in the form of LANG-006. */
export function isDate(run: string): boolean {
  const parts = SHAPE.exec(run);
  if (parts === null) return false;
  const [year, month, day, hour, minute, second, offsetHour, offsetMinute] = parts
    .slice(1)
    .map((part) => (part === undefined ? 0 : Number(part)));
  return (
    dayExists(year ?? 0, month ?? 0, day ?? 0) &&
    (hour ?? 0) < 24 &&
    (minute ?? 0) < 60 &&
    (second ?? 0) < 60 &&
    (offsetHour ?? 0) < 24 &&
    (offsetMinute ?? 0) < 60
  );
}

function dayExists(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  return day <= days;
}

const SHIFT =
  /^(now|today|yesterday|tomorrow)(?:\(\))?(?:\s*([+-])\s*(?:interval\s+)?(\d{1,6})\s*(minutes?|mins?|m|hours?|h|days?|d|weeks?|w|months?|mos?|years?|yrs?|y)?)?$/i;

/** The unit of a length of time that a word of English, or its beginning, names: `mo` of months, `d` of days. */
export function lengthUnit(word: string): string {
  const small = word.toLowerCase();
  return small.startsWith("mo") ? "mo" : small.slice(0, 1);
}

/** `now - 7 days` or `today() - 7` as the one word that a date relative to today is (LANG-006), or null. */
export function shiftedDate(raw: string): string | null {
  const [, word, sign, count, unit = "d"] = SHIFT.exec(raw) ?? [];
  if (word === undefined) return null;
  const shift = sign === undefined ? "" : `${sign}${count ?? ""}${lengthUnit(unit)}`;
  return `${word.toLowerCase()}${shift}`;
}
