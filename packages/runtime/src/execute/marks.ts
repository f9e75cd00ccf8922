import { unreadableCursor } from "../rows/stored-row.ts";
import type { Json, JsonObject } from "@plasm/core";
import { isArray, isObject } from "../json-kinds.ts";
import { type Row, rowName } from "../rows/row.ts";
import type { Shelf } from "../rows/shelf.ts";
import { TextLog } from "../rows/text-log.ts";

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
export class Marks {
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
