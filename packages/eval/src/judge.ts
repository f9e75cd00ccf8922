import type { StructuredResult } from "@plasm/agent-core";

/**
 * What rows a right answer has, in any order or in this one, its columns under any names and beside others; or one number, or one text, in a
 * row of its own.
 */
export type AnswerExpected =
  | { readonly rows: readonly (readonly unknown[])[]; readonly ordered: boolean }
  | { readonly number: number; readonly within: number }
  | { readonly text: string };

const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
const MIDNIGHT = "T00:00:00.000Z";

/** A cell by what it means, as text: numbers however they are written, moments in UTC, objects whatever their order. */
export function meaning(cell: unknown): string {
  if (cell === null || cell === undefined) return "null";
  if (typeof cell === "number") return String(Number(cell.toPrecision(12)));
  if (typeof cell === "boolean") return String(cell);
  if (typeof cell === "string") {
    const trimmed = cell.trim();
    if (NUMBER.test(trimmed)) return meaning(Number(trimmed));
    if (!MOMENT.test(trimmed)) return trimmed;
    const moment = new Date(trimmed);
    if (Number.isNaN(moment.getTime())) return trimmed;
    const written = moment.toISOString();
    return written.endsWith(MIDNIGHT) ? written.slice(0, -MIDNIGHT.length) : written;
  }
  if (Array.isArray(cell)) return `[${cell.map(meaning).join(", ")}]`;
  const members = Object.entries(cell).map(([name, value]) => `${name}: ${meaning(value)}`);
  return `{${members.toSorted().join(", ")}}`;
}

type Table = readonly (readonly string[])[];

const bag = (list: readonly string[]): string => JSON.stringify(list.toSorted());

const column = (table: Table, at: number): readonly string[] =>
  table.map((row) => row[at] ?? "null");

const picked = (table: Table, columns: readonly number[]): readonly string[] =>
  table.map((row) => JSON.stringify(columns.map((at) => row[at])));

/** Whether some of the columns of a table, in some order, are the expected ones. */
function hasColumns(table: Table, expected: Table, ordered: boolean): boolean {
  if (table.length !== expected.length) return false;
  const width = expected[0]?.length ?? 0;
  const given = table[0]?.length ?? 0;
  const wanted = Array.from({ length: width }, (_, at) => column(expected, at));
  const whole = ordered ? JSON.stringify : bag;
  const rows = whole(picked(expected, [...wanted.keys()]));
  const search = (chosen: readonly number[]): boolean => {
    const next = wanted[chosen.length];
    if (next === undefined) return whole(picked(table, chosen)) === rows;
    return Array.from({ length: given }, (_, at) => at).some(
      (at) =>
        !chosen.includes(at) && bag(column(table, at)) === bag(next) && search([...chosen, at]),
    );
  };
  return search([]);
}

const tableOf = ({ columns, rows }: StructuredResult): Table =>
  rows.map((row) => columns.map((name) => meaning(row[name])));

/** Each result, and all of them below one another where they have the same columns. */
function tablesOf(results: readonly StructuredResult[]): readonly Table[] {
  const tables = results.map(tableOf);
  const names = new Set(results.map(({ columns }) => JSON.stringify(columns)));
  return names.size === 1 && tables.length > 1 ? [...tables, tables.flat()] : tables;
}

/** The only row of each result, and of results of one row each all cells together. */
function singleRows(results: readonly StructuredResult[]): readonly (readonly string[])[] {
  const rows = results.map(tableOf).flatMap((table) => (table.length === 1 ? table : []));
  return rows.length > 1 && rows.length === results.length ? [...rows, rows.flat()] : rows;
}

const lines = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line !== "")
    .join("\n");

function hasText(results: readonly StructuredResult[], expected: string): boolean {
  const cells = results.flatMap(({ rows }) =>
    rows.length === 1 ? rows.flatMap(Object.values) : [],
  );
  return cells.some((cell) => typeof cell === "string" && lines(cell) === lines(expected));
}

/** Whether results have what is expected of them. */
export function isAnswered(
  expected: AnswerExpected,
  results: readonly StructuredResult[],
): boolean {
  if ("text" in expected) return hasText(results, expected.text);
  if ("number" in expected) {
    const { number, within } = expected;
    return singleRows(results)
      .flat()
      .some((cell) => NUMBER.test(cell) && Math.abs(Number(cell) - number) <= within);
  }
  const rows = expected.rows.map((row) => row.map(meaning));
  const tables = [
    ...tablesOf(results),
    ...(rows.length === 1 ? singleRows(results).map((row) => [row]) : []),
  ];
  return tables.some((table) => hasColumns(table, rows, expected.ordered));
}

/**
 * Whether a value has all that is expected of it: members may stand beside those, numbers and moments may be written otherwise. A list has as
 * many elements, each with what is expected of it.
 */
export function isWithin(expected: unknown, found: unknown): boolean {
  if (Array.isArray(expected))
    return (
      Array.isArray(found) &&
      found.length === expected.length &&
      expected.every((one, at) => isWithin(one, found[at]))
    );
  if (typeof expected !== "object" || expected === null)
    return meaning(expected) === meaning(found);
  if (typeof found !== "object" || found === null || Array.isArray(found)) return false;
  const members = new Map(Object.entries(found));
  return Object.entries(expected).every(([name, value]) => isWithin(value, members.get(name)));
}
