import { canonical } from "./compare-cells.ts";
import { decimalOf, nearly } from "./decimals.ts";
import type { Cell } from "./model.ts";
import type { Result } from "./evaluate.ts";
import type { Column, Item, Table } from "./table.ts";

/** A result as the engine answers it, its further pages behind it. */
export interface Got {
  readonly columns: readonly string[];
  readonly rows: readonly { readonly [column: string]: unknown }[];
  /** why rows are missing, or null */
  readonly partial: string | null;
  /** whether it has more pages, which an effect behind it may have changed */
  readonly open: boolean;
  /** the text that was answered */
  readonly text: string;
}

const NUMBERS: readonly string[] = ["integer", "number"];

function sameCell({ type }: Pick<Column, "type">, wanted: Cell, got: unknown): boolean {
  if (wanted === null || got === null || got === undefined)
    return wanted === null && (got ?? null) === null;
  if (NUMBERS.includes(type)) {
    const [left, right] = [decimalOf(wanted), decimalOf(got)];
    if (left !== null && right !== null) return nearly(left, right);
  }
  return canonical(wanted) === canonical(got as Cell);
}

/** Columns that the rows must have, and those that may be missing or empty: what lists leave out. */
function columnsIn({ whole, entity, columns }: Table): {
  must: readonly Column[];
  may: readonly Column[];
} {
  if (!whole || entity === null) return { must: columns, may: [] };
  const hidden = new Set(entity.fields.filter(({ detail }) => detail).map(({ name }) => name));
  return {
    must: columns.filter(({ name }) => !hidden.has(name)),
    may: columns.filter(({ name }) => hidden.has(name)),
  };
}

const sameRow = (table: Table, { cells }: Item, row: Got["rows"][number]): boolean => {
  const { must, may } = columnsIn(table);
  return (
    must.every((column) => sameCell(column, cells[column.name] ?? null, row[column.name])) &&
    may.every(
      (column) =>
        (row[column.name] ?? null) === null ||
        sameCell(column, cells[column.name] ?? null, row[column.name]),
    )
  );
};

/** Whether the rows are some of those expected, each at most once, in their order where that is certain. */
function isPartOf(table: Table, rows: Got["rows"]): boolean {
  const left = [...table.items];
  return rows.every((row) => {
    const at = left.findIndex((item) => sameRow(table, item, row));
    if (at < 0) return false;
    left.splice(table.ordered ? 0 : at, table.ordered ? at + 1 : 1);
    return true;
  });
}

/** What is wrong with the columns of rows that are right. */
function columnFault(table: Table, got: Got): string | null {
  // An effect that was never sent has the columns of its type.
  if (table.whole || table.columns.length === 0) return null;
  // A column that no row of a page has on the wire is left out, and the text says so (SURF-13).
  const unknown = (name: string): boolean =>
    !got.columns.includes(name) && got.text.includes("not loaded");
  const wanted = table.columns.map(({ name }) => name).filter((name) => !unknown(name));
  return canonical(wanted) === canonical(got.columns) ? null : `columns ${got.columns.join(", ")}`;
}

function isFull(table: Table, got: Got): boolean {
  return got.rows.length === table.items.length && isPartOf(table, got.rows);
}

/** Why a result is not what was expected, in one line; null if it is. */
export function faultOf({ table, reply }: Result, got: Got): string | null {
  if (reply === "effect" && table.columns[0]?.name === "ok") {
    const fine =
      got.rows.length === table.items.length && got.rows.every((row) => row["ok"] === true);
    return fine ? null : "the rows of the effect do not say ok";
  }
  if (table.certain === "open") return null;
  const told = got.partial !== null;
  if (told && !/partial/.test(got.text))
    return "its data says that it is partial, and its text does not";
  if (told && table.certain === "told") return null;
  if (got.open)
    return isPartOf(table, got.rows) ? null : "its first page has rows that the data has not";
  if (!told) {
    return isFull(table, got)
      ? columnFault(table, got)
      : "other rows than the data has, and no word of it";
  }
  if (table.certain === "exact")
    return `it says that it is partial (${got.partial}), and nothing is missing`;
  return isPartOf(table, got.rows) ? null : "it is partial, and has rows that the data has not";
}
