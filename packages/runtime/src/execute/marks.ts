import { unreadableCursor } from "../rows/stored-row.ts";
import type { Json, JsonObject } from "@plasm/core";
import { isArray, isObject } from "../json-kinds.ts";
import { type Row, rowName } from "../rows/row.ts";

/** Rows that one page or one source row gave, and where that is read again (PLAN-083). */
interface Mark {
  /** index of its first row, over all pages of the result */
  readonly at: number;
  /** what its rows are known by; null for those that nothing tells apart */
  readonly names: (string | null)[];
  readonly place: JsonObject;
}

/** Where a row was read, and what was given of that place before it. */
export interface MarkedPlace {
  readonly place: JsonObject;
  readonly given: readonly (string | null)[];
}

const nameFrom = (value: Json): string | null => (typeof value === "string" ? value : null);

function markFrom(value: Json): Mark {
  if (!isObject(value) || typeof value["at"] !== "number" || !isObject(value["place"])) {
    throw unreadableCursor();
  }
  const { at, names, place } = value;
  return { at, names: isArray(names) ? names.map(nameFrom) : [], place };
}

/** Where the rows of a node were read, so that those left over can be read there again (PLAN-083). */
export class Marks {
  readonly #marks: Mark[];
  /** whether the last place has rows that were not given yet */
  open: boolean;

  /** `saved` is what {@link save} gave, if a cursor kept it. */
  constructor(saved: Json | undefined) {
    const kept = isObject(saved) ? saved["list"] : undefined;
    this.#marks = isArray(kept) ? kept.map(markFrom) : [];
    this.open = isObject(saved) && saved["open"] === true;
  }

  /** What comes from now on is read at this place; `at` is the index of its first row. */
  begin(at: number, place: JsonObject): void {
    this.#marks.push({ at, names: [], place });
  }

  give(rows: readonly Row[]): void {
    this.#marks.at(-1)?.names.push(...rows.map(rowName));
  }

  /** Where the row of an index was read, or would be; null if that has not begun. */
  find(index: number): MarkedPlace | null {
    const mark = this.#marks.findLast(({ at }) => at <= index);
    if (mark === undefined) return null;
    const last = mark === this.#marks.at(-1);
    if (index >= mark.at + mark.names.length && !(last && this.open)) return null;
    return { place: mark.place, given: mark.names.slice(0, index - mark.at) };
  }

  /** The marks that rows from an index on need. */
  save(from: number): JsonObject {
    const needed = this.#marks.filter(
      ({ at, names }, i) => at + names.length > from || (this.open && i === this.#marks.length - 1),
    );
    return {
      open: this.open,
      list: needed.map(({ at, names, place }) => ({ at, names: [...names], place })),
    };
  }
}
