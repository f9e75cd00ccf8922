import type { Json, JsonObject } from "@plasm/core";
import { unreadableCursor } from "../rows/stored-row.ts";
import { isArray, isObject } from "../base/json-kinds.ts";
import { type Row, rowName } from "../rows/row.ts";
import type { Shelf } from "../rows/shelf.ts";
import { TextLog } from "../rows/text-log.ts";

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

/** Rows that one page or one source row gave, and where that is read again (PLAN-083). */
interface Mark {
  /** index of its first row, over all pages of the result */
  readonly at: number;
  /** where what its rows are known by begins among the names of all */
  readonly first: number;
  readonly place: JsonObject;
}

/** Where a row was read, and what was given of that place before it. */
export interface MarkedPlace {
  readonly place: JsonObject;
  readonly given: readonly (string | null)[];
}

const nameFrom = (value: Json): string | null => (typeof value === "string" ? value : null);

/** A mark as a cursor keeps it: with what its rows are known by, null for those that nothing tells apart. */
interface SavedMark extends Omit<Mark, "first"> {
  readonly names: readonly (string | null)[];
}

function markFrom(value: Json): SavedMark {
  if (!isObject(value) || typeof value["at"] !== "number" || !isObject(value["place"])) {
    throw unreadableCursor();
  }
  const { at, names, place } = value;
  return { at, names: isArray(names) ? names.map(nameFrom) : [], place };
}

/** Where the rows of a node were read, so that those left over can be read there again (PLAN-083). */
export class PageBookmarks {
  readonly #marks: Mark[] = [];
  /** names of the rows of all marks, in order */
  readonly #names: TextLog;
  /** whether the last place has rows that were not given yet */
  open: boolean;

  /** `saved` is what {@link save} gave, if a cursor kept it. */
  constructor(saved: Json | undefined, shelf: Shelf) {
    this.#names = new TextLog(shelf);
    const kept = isObject(saved) ? saved["list"] : undefined;
    for (const { at, names, place } of isArray(kept) ? kept.map(markFrom) : []) {
      this.begin(at, place);
      for (const name of names) this.#names.push(name);
    }
    this.open = isObject(saved) && saved["open"] === true;
  }

  /** What comes from now on is read at this place; `at` is the index of its first row. */
  begin(at: number, place: JsonObject): void {
    this.#marks.push({ at, first: this.#names.length, place });
  }

  give(rows: readonly Row[]): void {
    if (this.#marks.length === 0) return;
    for (const row of rows) this.#names.push(rowName(row));
  }

  /** Where the row of an index was read, or would be; null if that has not begun. */
  find(index: number): MarkedPlace | null {
    const which = this.#marks.findLastIndex(({ at }) => at <= index);
    const mark = this.#marks[which];
    if (mark === undefined) return null;
    const last = which === this.#marks.length - 1;
    const end = this.#endOf(which);
    if (index >= mark.at + end - mark.first && !(last && this.open)) return null;
    const given = this.#names.slice(mark.first, Math.min(end, mark.first + index - mark.at));
    return { place: mark.place, given };
  }

  /** The marks that rows from an index on need. */
  save(from: number): JsonObject {
    const list = this.#marks.flatMap(({ at, first, place }, i): JsonObject[] => {
      const end = this.#endOf(i);
      const isLast = i === this.#marks.length - 1;
      if (at + end - first <= from && !(this.open && isLast)) return [];
      return [{ at, names: this.#names.slice(first, end), place }];
    });
    return { open: this.open, list };
  }

  /** Where the names of a mark end. */
  #endOf(which: number): number {
    return this.#marks[which + 1]?.first ?? this.#names.length;
  }
}
