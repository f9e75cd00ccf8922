import type { Json, PlanValue } from "@plasm/core";
import { type NoteFault, type RowValue, rowValue } from "../rows/computed.ts";
import type { RowWork } from "../rows/row-work.ts";
import { type Row, readCell, rowColumn } from "../rows/row.ts";
import type { RowSchema } from "./engine.ts";
import { keyPart } from "./resolve-value.ts";

/** The columns that many rows have alike. */
interface CellLayout {
  readonly names: readonly string[];
  readonly at: ReadonlyMap<string, number>;
}

/** The layout of columns; a name that stands twice is one column, whose last value counts. */
export function cellLayout(names: readonly string[]): CellLayout {
  const distinct = [...new Set(names)];
  return { names: distinct, at: new Map(distinct.map((name, at) => [name, at])) };
}

/**
 * The cells of a row beside the columns that it shares with all others: a map of its own would take most of the time
 * and memory that a computed row takes. `first` is the cell of the first name of the layout, `more` has those of the
 * others: many rows have a single one, and then need no list.
 */
export class ColumnCells implements ReadonlyMap<string, Json> {
  readonly #layout: CellLayout;
  readonly #first: Json;
  readonly #more: readonly Json[];

  constructor(layout: CellLayout, first: Json, more: readonly Json[]) {
    this.#layout = layout;
    this.#first = first;
    this.#more = more;
  }

  get size(): number {
    return this.#layout.names.length;
  }

  #cell(at: number): Json {
    return at === 0 ? this.#first : (this.#more[at - 1] ?? null);
  }

  get(name: string): Json | undefined {
    const at = this.#layout.at.get(name);
    return at === undefined ? undefined : this.#cell(at);
  }

  has(name: string): boolean {
    return this.#layout.at.has(name);
  }

  forEach(visit: (value: Json, name: string, cells: ReadonlyMap<string, Json>) => void): void {
    for (const [name, value] of this.entries()) visit(value, name, this);
  }

  *entries(): MapIterator<[string, Json]> {
    for (const [at, name] of this.#layout.names.entries()) yield [name, this.#cell(at)];
  }

  keys(): MapIterator<string> {
    return this.#layout.names.values();
  }

  *values(): MapIterator<Json> {
    for (const at of this.#layout.names.keys()) yield this.#cell(at);
  }

  [Symbol.iterator](): MapIterator<[string, Json]> {
    return this.entries();
  }
}

/** Whether a value takes nothing but constants and cells of its row: such a one is computed at once. */
export function isPlain(value: PlanValue): boolean {
  if ("lit" in value || "dec" in value) return true;
  if ("row" in value) return value.row.length > 0;
  if ("total" in value) return true;
  return "args" in value && value.args.every(isPlain);
}

/** A cell of a row, else a part of its key: rows keep it, whatever columns they are left with (LANG-061). */
function cellReader(schema: RowSchema, path: readonly string[]): RowValue {
  const column = rowColumn(schema, path);
  return (row) => column.read(row) ?? readCell(schema.cgs, row, path) ?? keyPart(path, row) ?? null;
}

const NONE: readonly Json[] = Object.freeze([]);

/** The cells of derived rows whose values are all plain. */
export function plainCells(
  columns: readonly (readonly [string, PlanValue])[],
  schema: RowSchema,
  fault: NoteFault,
  work: RowWork,
): (row: Row) => ReadonlyMap<string, Json> {
  const layout = cellLayout(columns.map(([name]) => name));
  const byName = new Map(columns);
  const made = layout.names.flatMap((name) => {
    const value = byName.get(name);
    return value === undefined
      ? []
      : [rowValue(value, (path) => cellReader(schema, path), fault, work)];
  });
  const [first = () => null, ...more] = made;
  const cellsOf =
    more.length === 0
      ? (): readonly Json[] => NONE
      : (row: Row): readonly Json[] => more.map((of) => of(row));
  return (row) => {
    work.begin();
    return new ColumnCells(layout, first(row), cellsOf(row));
  };
}
