import type { Choices } from "./choices.ts";
import { bareDay, instantOf, NANOSECONDS } from "./compare-cells.ts";
import { addDecimals, decimalOf, decimalText, multiplied } from "./decimals.ts";
import { type Cell, cellText, type FieldType } from "./model.ts";
import type { CellFunction } from "./program.ts";

/** Values that are computed of one cell (LANG-048, LANG-049, LANG-058), written from the specification's words. */

const DATES: readonly FieldType[] = ["day", "instant", "unix_sec", "unix_ms"];
const PARTS = ["year", "month", "week", "weekday", "day"] as const;
const STARTS = ["month", "day", "week", "quarter", "year"] as const;
type Shift = readonly [unit: "h" | "d" | "w" | "mo" | "y", count: number];
const SHIFTS: readonly [Shift, ...Shift[]] = [
  ["mo", 1],
  ["d", 2],
  ["y", 1],
  ["mo", 13],
  ["w", 1],
  ["h", 5],
];
const NUMBERS = [2, 0.5, 3, 10] as const;

/** Draws what can be computed of a cell; null where nothing can. */
export function drawFunction(choices: Choices, type: FieldType): CellFunction | null {
  if (DATES.includes(type)) {
    switch (choices.below(3)) {
      case 0:
        return { kind: "part", part: choices.pick(PARTS) };
      case 1:
        return { kind: "start", unit: choices.pick(STARTS) };
      default: {
        const [unit, count] = choices.pick(SHIFTS);
        return { kind: "moved", unit, by: choices.chance(50) ? count : -count };
      }
    }
  }
  if (type === "integer" || type === "number") {
    const kind = choices.chance(50) ? "times" : "plus";
    return { kind, by: choices.pick(NUMBERS) };
  }
  return type === "text" ? { kind: "text", fn: choices.pick(["upper", "lower", "length"]) } : null;
}

/** The type of what is computed of a cell. */
export function computedType(fn: CellFunction, of: FieldType): FieldType {
  switch (fn.kind) {
    case "part":
      return "integer";
    case "start":
      return "day";
    case "moved":
      return of === "day" && fn.unit !== "h" ? "day" : "instant";
    case "times":
    case "plus":
      return of === "integer" && Number.isInteger(fn.by) ? "integer" : "number";
    case "text":
      return fn.fn === "length" ? "integer" : "text";
  }
}

const DAY_MS = 86_400_000;

/** The midnight of a day of the calendar; months beyond December are those of the next years. */
const midnight = (year: number, month: number, day: number): number => Date.UTC(year, month, day);

function partOf(at: Date, part: (typeof PARTS)[number]): number {
  const weekday = at.getUTCDay() === 0 ? 7 : at.getUTCDay();
  switch (part) {
    case "year":
      return at.getUTCFullYear();
    case "month":
      return at.getUTCMonth() + 1;
    case "day":
      return at.getUTCDate();
    case "weekday":
      return weekday;
    case "week": {
      const today = midnight(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate());
      const thursday = new Date(today + (4 - weekday) * DAY_MS);
      const first = midnight(thursday.getUTCFullYear(), 0, 1);
      return 1 + Math.floor((thursday.getTime() - first) / DAY_MS / 7);
    }
  }
}

function startOf(at: Date, unit: (typeof STARTS)[number]): string {
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  const start = {
    day: midnight(year, month, day),
    week: midnight(year, month, day - (partOf(at, "weekday") - 1)),
    month: midnight(year, month, 1),
    quarter: midnight(year, 3 * Math.floor(month / 3), 1),
    year: midnight(year, 0, 1),
  };
  return bareDay(start[unit]);
}

const LENGTHS: Readonly<Record<string, number>> = { h: 3_600_000, d: DAY_MS, w: 7 * DAY_MS };

function movedTo(at: Date, by: number, unit: string): number {
  const length = LENGTHS[unit];
  if (length !== undefined) return at.getTime() + by * length;
  const months = at.getUTCMonth() + by * (unit === "y" ? 12 : 1);
  const lastDay = new Date(midnight(at.getUTCFullYear(), months + 1, 0)).getUTCDate();
  const day = Math.min(at.getUTCDate(), lastDay);
  const time = at.getTime() - midnight(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate());
  return midnight(at.getUTCFullYear(), months, day) + time;
}

/** A date with a time, its fraction without zeros at the end. */
function written(ms: number, nanos: bigint): string {
  const fraction = nanos.toString().padStart(9, "0").replace(/0+$/, "");
  const seconds = new Date(ms).toISOString().slice(0, 19);
  return `${seconds}${fraction === "" ? "" : `.${fraction}`}Z`;
}

/** What is computed of a cell; of null nothing is. */
export function computedCell(fn: CellFunction, type: FieldType, cell: Cell): Cell {
  if (cell === null) return null;
  if (fn.kind === "times" || fn.kind === "plus") {
    const [number, by] = [decimalOf(cell), decimalOf(fn.by)];
    if (number === null || by === null) throw new Error(`no number: ${cellText(cell)}`);
    return decimalText(fn.kind === "plus" ? addDecimals(number, by) : multiplied(number, by));
  }
  if (fn.kind === "text") {
    const text = cellText(cell);
    if (fn.fn === "length") return [...text].length;
    return fn.fn === "upper" ? text.toUpperCase() : text.toLowerCase();
  }
  const instant = instantOf(cell, type);
  if (instant === null) throw new Error(`no date: ${cellText(cell)}`);
  const nanos = ((instant % NANOSECONDS) + NANOSECONDS) % NANOSECONDS;
  const at = new Date(Number((instant - nanos) / 1_000_000n));
  switch (fn.kind) {
    case "part":
      return partOf(at, fn.part);
    case "start":
      return startOf(at, fn.unit);
    case "moved": {
      const to = movedTo(at, fn.by, fn.unit);
      return computedType(fn, type) === "day" ? bareDay(to) : written(to, nanos);
    }
  }
}

/** Prints what is computed of a cell, whose name is printed already. */
export function printFunction(fn: CellFunction, cell: string): string {
  switch (fn.kind) {
    case "part":
      return `${fn.part}(${cell})`;
    case "start":
      return `start_of(${cell}, ${fn.unit})`;
    case "moved":
      return `${cell} ${fn.by < 0 ? "-" : "+"} ${Math.abs(fn.by)}${fn.unit}`;
    case "times":
      return `${cell} * ${fn.by}`;
    case "plus":
      return `${cell} + ${fn.by}`;
    case "text":
      return `${fn.fn}(${cell})`;
  }
}
