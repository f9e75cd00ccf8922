/**
 * How cells compare, written from the specification's words: equality and order by declared type (RUN-113,
 * LANG-065), with null as a value of its own that comes last.
 */
import { compareDecimals, decimalOf } from "./decimals.ts";
import { type Cell, cellText, type FieldType } from "./model.ts";
import { keyText } from "./state.ts";

const INSTANT =
  /^(\d{4}-\d\d-\d\d)(?:[Tt](\d\d:\d\d)(?::(\d\d))?(?:\.(\d{1,9}))?([Zz]|[+-]\d\d:\d\d)?)?$/;
/** Nanoseconds of a second. */
export const NANOSECONDS = 1_000_000_000n;

/** A day without a time, of milliseconds since 1970. */
export const bareDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** A date as nanoseconds since 1970; null for what is none. */
export function instantOf(cell: Cell, type: FieldType): bigint | null {
  if (typeof cell === "number") {
    const unit = type === "unix_ms" ? NANOSECONDS / 1000n : NANOSECONDS;
    return Number.isInteger(cell) ? BigInt(cell) * unit : null;
  }
  const parts = typeof cell === "string" ? INSTANT.exec(cell) : null;
  if (parts === null) return null;
  const [, day = "", minutes = "00:00", seconds = "00", fraction = "", zone = "Z"] = parts;
  const whole = Date.parse(`${day}T${minutes}:${seconds}${zone.toUpperCase()}`);
  if (Number.isNaN(whole)) return null;
  return BigInt(whole) * (NANOSECONDS / 1000n) + BigInt(fraction.padEnd(9, "0"));
}

const DAY = 86_400n * NANOSECONDS;
const dayOf = (instant: bigint): bigint => (instant - (((instant % DAY) + DAY) % DAY)) / DAY;

/** Whether a date is written without a time: it is then a whole day where `=` compares it with a time. */
const isBareDay = (cell: Cell): boolean =>
  typeof cell === "string" && /^\d{4}-\d\d-\d\d$/.test(cell);

/** Texts by code point, which is not how JavaScript compares them. */
function compareText(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  for (let at = 0; at < Math.min(left.length, right.length); at += 1) {
    const difference = (left[at]?.codePointAt(0) ?? 0) - (right[at]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** A cell as canonical text: members of objects by name. */
export function canonical(cell: Cell): string {
  if (typeof cell !== "object" || cell === null) return JSON.stringify(cell);
  if (Array.isArray(cell)) return `[${cell.map((each: Cell) => canonical(each)).join(",")}]`;
  const members = Object.entries(cell).toSorted(([a], [b]) => compareText(a, b));
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${canonical(each as Cell)}`).join(",")}}`;
}

const KINDS = ["boolean", "number", "string"];
const kindOf = (cell: Cell): number => {
  const at = KINDS.indexOf(typeof cell);
  return at < 0 ? KINDS.length : at;
};

function compareJson(a: Cell, b: Cell): number {
  const byKind = kindOf(a) - kindOf(b);
  if (byKind !== 0) return byKind;
  if (typeof a === "boolean") return Number(a) - Number(b);
  if (typeof a === "number") return comparedNumbers(a, b);
  return typeof a === "string"
    ? compareText(a, cellText(b))
    : compareText(canonical(a), canonical(b));
}

function comparedNumbers(a: Cell, b: Cell): number {
  const [left, right] = [decimalOf(a), decimalOf(b)];
  if (left === null || right === null)
    throw new Error(`no numbers: ${cellText(a)}, ${cellText(b)}`);
  return compareDecimals(left, right);
}

/** Orders two cells of one type, neither of them null. */
export function compareCells(type: FieldType, a: Cell, b: Cell): number {
  switch (type) {
    case "integer":
    case "number":
      return comparedNumbers(a, b);
    case "boolean":
      return Number(a) - Number(b);
    case "day":
    case "instant":
    case "unix_sec":
    case "unix_ms": {
      const [left, right] = [instantOf(a, type), instantOf(b, type)];
      if (left === null || right === null)
        throw new Error(`no dates: ${cellText(a)}, ${cellText(b)}`);
      return left < right ? -1 : left > right ? 1 : 0;
    }
    case "ref":
      return compareText(keyText(a), keyText(b));
    case "words":
    case "options":
      return compareText(canonical(a), canonical(b));
    case "json":
      return compareJson(a, b);
    default:
      return compareText(cellText(a), cellText(b));
  }
}

/** Whether two cells are one group, or one of what is distinct: null is equal to null alone. */
export const isSame = (type: FieldType, a: Cell, b: Cell): boolean =>
  a === null || b === null ? a === b : compareCells(type, a, b) === 0;

/** Whether a cell equals what a condition asks for: a bare day is all of it where the cell has a time. */
export function isEqual(type: FieldType, cell: Cell, wanted: Cell): boolean {
  if (cell === null || wanted === null) return false;
  if (["instant", "unix_sec", "unix_ms"].includes(type) && isBareDay(wanted)) {
    const [left, right] = [instantOf(cell, type), instantOf(wanted, type)];
    return left !== null && right !== null && dayOf(left) === dayOf(right);
  }
  return isSame(type, cell, wanted);
}

/** `~`: text in text, ignoring case; an element of a list. */
export function contains(cell: Cell, wanted: Cell): boolean {
  if (cell === null) return false;
  const fold = (each: Cell): string => cellText(each).toLowerCase();
  if (Array.isArray(cell)) return cell.some((each: Cell) => fold(each) === fold(wanted));
  return typeof cell === "string" && fold(cell).includes(fold(wanted));
}
