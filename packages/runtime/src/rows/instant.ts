import type { Json, TemporalFormat } from "@plasm/core";

/** A date as an instant; a bare date is UTC midnight and remembers that it has no time (RUN-113). */
export interface Instant {
  readonly ms: number;
  /** nanoseconds beyond `ms` */
  readonly nanos: number;
  readonly bare: boolean;
}

const ISO =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s*(?:([Zz]|UTC)|([+-])(\d\d):?(\d\d)?)?)?$/;

function isoInstant(text: string): Instant | null {
  const parts = ISO.exec(text);
  if (parts === null) return null;
  const at = (group: number): number => Number(parts[group] ?? 0);
  const day = new Date(0);
  day.setUTCFullYear(at(1), at(2) - 1, at(3));
  if (day.getUTCMonth() !== at(2) - 1) return null;
  const fraction = (parts[7] ?? "").padEnd(9, "0");
  const offset = (at(10) * 60 + at(11)) * (parts[9] === "-" ? -60_000 : 60_000);
  const clock = (at(4) * 3600 + at(5) * 60 + at(6)) * 1000 + Number(fraction.slice(0, 3));
  const ms = day.getTime() + clock - offset;
  return { ms, nanos: Number(fraction.slice(3)), bare: parts[4] === undefined };
}

/** The instant of a date on the wire or in a condition; null if it is none. */
export function instantOf(value: Json, format: TemporalFormat): Instant | null {
  const unix = format === "unix_ms" ? 1 : format === "unix_sec" ? 1000 : null;
  if (typeof value === "number") {
    return unix === null ? null : { ms: value * unix, nanos: 0, bare: false };
  }
  if (typeof value !== "string") return null;
  const text = value.trim();
  if (unix !== null && /^-?\d+(\.\d+)?$/.test(text)) return instantOf(Number(text), format);
  const iso = isoInstant(text);
  if (iso !== null) return iso;
  const ms = /^[A-Za-z]{3}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? null : { ms, nanos: 0, bare: false };
}

/** Orders two instants. */
export function compareInstants(a: Instant, b: Instant): number {
  return a.ms - b.ms || a.nanos - b.nanos;
}

const DAY = 86_400_000;

/** Whether two dates are equal: by UTC day if one of them is a bare date, else as instants (RUN-113). */
export function sameDate(a: Instant, b: Instant): boolean {
  if (a.bare !== b.bare) return Math.floor(a.ms / DAY) === Math.floor(b.ms / DAY);
  return compareInstants(a, b) === 0;
}
