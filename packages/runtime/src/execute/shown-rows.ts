import type { Json, JsonObject } from "@plasm/core";
import { isArray } from "../json-kinds.ts";
import { type Row, rowName } from "../rows/row.ts";

type Names = readonly (string | null)[];

/**
 * Rows that were shown before what follows was read again (PLAN-083): known by their names, or, where
 * nothing tells them apart, by their number.
 */
export class ShownRows {
  readonly #names: Set<string>;
  #bare: number;

  constructor(state: JsonObject | null) {
    const names = state?.["shown"];
    this.#names = new Set(isArray(names) ? names.filter((one) => typeof one === "string") : []);
    this.#bare = typeof state?.["bare"] === "number" ? state["bare"] : 0;
  }

  /** The rows of these that were not shown; nameless ones last, after their test. */
  drop(rows: readonly Row[]): readonly Row[] {
    return this.#names.size === 0
      ? rows
      : rows.filter((row) => !this.#names.has(rowName(row) ?? ""));
  }

  /** Leaves out the first rows without name, as many as were shown. */
  dropBare(rows: readonly Row[]): readonly Row[] {
    if (this.#bare === 0) return rows;
    return rows.filter((row) => {
      if (this.#bare === 0 || rowName(row) !== null) return true;
      this.#bare -= 1;
      return false;
    });
  }

  /** What is read from here on is not read again: nameless rows shown before are behind it. */
  pass(): void {
    this.#bare = 0;
  }

  save(): JsonObject {
    return shownState([...this.#names], this.#bare);
  }
}

const shownState = (shown: readonly string[], bare: number): JsonObject => ({
  ...(shown.length === 0 ? {} : { shown }),
  ...(bare === 0 ? {} : { bare }),
});

const texts = (value: Json | undefined): readonly string[] =>
  isArray(value) ? value.filter((one) => typeof one === "string") : [];

/** A state of {@link ShownRows} with more rows shown. */
export function withShown(state: JsonObject, names: Names): JsonObject {
  const bare = typeof state["bare"] === "number" ? state["bare"] : 0;
  const named = names.filter((name) => name !== null);
  return shownState(
    [...new Set([...texts(state["shown"]), ...named])],
    bare + names.length - named.length,
  );
}
