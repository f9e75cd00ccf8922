import type { Json } from "@plasm/core";

/** The columns that many rows have alike. */
export interface CellLayout {
  readonly names: readonly string[];
  readonly at: ReadonlyMap<string, number>;
}

/** The layout of columns; a name that stands twice is one column, whose last value counts. */
export function cellLayout(names: readonly string[]): CellLayout {
  const distinct = [...new Set(names)];
  return { names: distinct, at: new Map(distinct.map((name, at) => [name, at])) };
}

/**
 * The cells of a row as a list beside the columns that it shares with all others: a map of its own would take most of
 * the time and memory that a computed row takes. `values` has one for each name of the layout.
 */
export class ColumnCells implements ReadonlyMap<string, Json> {
  readonly #layout: CellLayout;
  readonly #values: readonly Json[];

  constructor(layout: CellLayout, values: readonly Json[]) {
    this.#layout = layout;
    this.#values = values;
  }

  get size(): number {
    return this.#values.length;
  }

  get(name: string): Json | undefined {
    const at = this.#layout.at.get(name);
    return at === undefined ? undefined : this.#values[at];
  }

  has(name: string): boolean {
    return this.#layout.at.has(name);
  }

  forEach(visit: (value: Json, name: string, cells: ReadonlyMap<string, Json>) => void): void {
    for (const [name, value] of this.entries()) visit(value, name, this);
  }

  *entries(): MapIterator<[string, Json]> {
    for (const [at, name] of this.#layout.names.entries()) yield [name, this.#values[at] ?? null];
  }

  keys(): MapIterator<string> {
    return this.#layout.names.values();
  }

  values(): MapIterator<Json> {
    return this.#values.values();
  }

  [Symbol.iterator](): MapIterator<[string, Json]> {
    return this.entries();
  }
}
