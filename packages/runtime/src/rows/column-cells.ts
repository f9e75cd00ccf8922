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
