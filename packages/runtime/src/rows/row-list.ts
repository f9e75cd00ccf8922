import { Buffer } from "node:buffer";
import type { Json } from "@plasm/core";
import { parseJsonText } from "@plasm/core/internal";
import { type Pausable, visitEach } from "../base/turns.ts";
import { RowPacker } from "./packed-row.ts";
import type { Row } from "./row.ts";
import type { Shelf, ShelvedBytes } from "./shelf.ts";

/** Rows in order, wherever they are: a list of them is one. */
export interface RowSequence extends Iterable<Row> {
  readonly length: number;
  at(index: number): Row | undefined;
  slice(from?: number, to?: number): readonly Row[];
}

/** Rows that can say which of them have to be completed. */
interface HoldingRows extends RowSequence {
  /** The rows that pass a test, in order; they stay as they are, so that what is added to them is not lost. */
  hold(test: (row: Row) => boolean): Pausable<readonly Row[]>;
}

/** The rows that pass a test, as they will be read again: what is added to them stays with them. */
export function* holdRows(
  rows: RowSequence,
  test: (row: Row) => boolean,
): Pausable<readonly Row[]> {
  if ("hold" in rows) return yield* (rows as HoldingRows).hold(test);
  const held: Row[] = [];
  yield* visitEach(rows, (row) => {
    if (test(row)) held.push(row);
  });
  return held;
}

/** So many rows are packed together: as many as are unpacked to go through all of them. */
const CHUNK = 512;

/** A list of fewer rows is never packed: most runs have no more, and they are read at once. */
const UNPACKED = 2_048;

/** Rows of a list that follow each other. */
interface Part {
  /** index of its first row */
  readonly start: number;
  readonly length: number;
  row(index: number): Row | undefined;
  rows(): readonly Row[];
}

/** Rows as one text, on the shelf: each of them can be read by itself. */
class PackedPart implements Part {
  readonly start: number;
  readonly length: number;
  readonly #packer: RowPacker;
  readonly #bytes: ShelvedBytes;
  /** where the text of each row ends, a comma after it not included */
  readonly #ends: Uint32Array;

  constructor(start: number, packer: RowPacker, shelf: Shelf, texts: readonly string[]) {
    this.start = start;
    this.length = texts.length;
    this.#packer = packer;
    this.#ends = new Uint32Array(texts.length);
    let end = -1;
    for (const [at, text] of texts.entries()) {
      end += 1 + Buffer.byteLength(text);
      this.#ends[at] = end;
    }
    this.#bytes = shelf.put(Buffer.from(texts.join(",")));
  }

  row(index: number): Row {
    const from = index === 0 ? 0 : (this.#ends[index - 1] ?? 0) + 1;
    const text = this.#bytes.read(from, this.#ends[index] ?? 0).toString();
    const values = parseJsonText(text) as readonly Json[];
    return this.#packer.unpack(values);
  }

  rows(): readonly Row[] {
    const text = this.#bytes.read(0, this.#ends[this.length - 1] ?? 0).toString();
    const all = parseJsonText(`[${text}]`) as readonly (readonly Json[])[];
    return all.map((values) => this.#packer.unpack(values));
  }
}

class OpenPart implements Part {
  readonly start: number;
  readonly #rows: readonly Row[];

  constructor(start: number, rows: readonly Row[]) {
    this.start = start;
    this.#rows = rows;
  }

  get length(): number {
    return this.#rows.length;
  }

  row(index: number): Row | undefined {
    return this.#rows[index];
  }

  rows(): readonly Row[] {
    return this.#rows;
  }
}

/**
 * The rows of one node while they come. Beyond the first few thousand they are packed, some hundred at a time, and
 * unpacked whenever they are read, but for those that cannot be packed or are being completed.
 */
export class RowList implements HoldingRows {
  readonly #shelf: Shelf;
  readonly #packer = new RowPacker();
  /** rows before the last ones, in order */
  #parts: Part[] = [];
  /** the last rows, as they came */
  #tail: Row[] = [];
  /** index of the first of them */
  #start = 0;
  /** what those take of the run's memory, in bytes */
  #held = 0;
  /** rows that are made of others: then there are no more */
  #all: RowSequence | null = null;

  constructor(shelf: Shelf) {
    this.#shelf = shelf;
  }

  get length(): number {
    return this.#all?.length ?? this.#start + this.#tail.length;
  }

  /** Adds rows; `held` is what they were counted as, in bytes, which is given back where they are packed. */
  *add(rows: RowSequence, held = 0): Pausable<void> {
    if (!Array.isArray(rows) && this.length === 0) {
      this.#all = rows;
      return;
    }
    if (this.#all !== null) throw new Error("rows that are made of others stand alone");
    const each = rows.length === 0 ? 0 : held / rows.length;
    for (const row of rows) {
      this.#tail.push(row);
      this.#held += each;
      if (this.length >= UNPACKED && this.#tail.length >= 2 * CHUNK) {
        this.#pack();
        yield;
      }
    }
  }

  at(index: number): Row | undefined {
    if (this.#all !== null) return this.#all.at(index);
    if (index < 0 || index >= this.length) return undefined;
    if (index >= this.#start) return this.#tail[index - this.#start];
    const part = this.#parts[this.#partAt(index)];
    return part?.row(index - part.start);
  }

  slice(from = 0, to = this.length): readonly Row[] {
    if (this.#all !== null) return this.#all.slice(from, to);
    const rows: Row[] = [];
    for (let at = this.#partAt(from); at < this.#parts.length; at++) {
      const part = this.#parts[at];
      if (part === undefined || part.start >= to) return rows;
      const [first, end] = [Math.max(0, from - part.start), Math.min(part.length, to - part.start)];
      // One row alone does not unpack those beside it.
      if (end - first === 1) {
        const row = part.row(first);
        if (row !== undefined) rows.push(row);
      } else for (const row of part.rows().slice(first, end)) rows.push(row);
    }
    const last = this.#tail.slice(Math.max(0, from - this.#start), Math.max(0, to - this.#start));
    for (const row of last) rows.push(row);
    return rows;
  }

  *[Symbol.iterator](): Iterator<Row> {
    if (this.#all !== null) yield* this.#all;
    else {
      // A step may go on to read while its rows are gone through.
      for (let at = 0; at < this.length;) {
        const part = this.#parts[this.#partAt(at)];
        const rows = part === undefined ? this.#tail.slice(at - this.#start) : part.rows();
        yield* rows;
        at += rows.length;
      }
    }
  }

  *hold(test: (row: Row) => boolean): Pausable<readonly Row[]> {
    if (this.#all !== null) return yield* holdRows(this.#all, test);
    const held: Row[] = [];
    for (const [at, part] of this.#parts.entries()) {
      const rows = part.rows();
      const found = rows.filter(test);
      for (const row of found) held.push(row);
      if (found.length > 0 && !(part instanceof OpenPart))
        this.#parts[at] = new OpenPart(part.start, rows);
      yield;
    }
    for (const row of this.#tail) if (test(row)) held.push(row);
    return held;
  }

  /** The part that an index is in; one behind the last where it is among the last rows. */
  #partAt(index: number): number {
    let [low, high] = [0, this.#parts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const part = this.#parts[middle];
      if (part !== undefined && part.start + part.length <= index) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Packs the first of the last rows: together if that can be done, or they stay as they are. */
  #pack(): void {
    const rows = this.#tail.splice(0, CHUNK);
    const texts: string[] = [];
    for (const row of rows) {
      const text = this.#packer.pack(row);
      if (text === null) break;
      texts.push(text);
    }
    const isPacked = texts.length === rows.length;
    this.#parts.push(
      isPacked
        ? new PackedPart(this.#start, this.#packer, this.#shelf, texts)
        : new OpenPart(this.#start, rows),
    );
    const held = (this.#held * rows.length) / (rows.length + this.#tail.length);
    this.#held -= held;
    if (isPacked) this.#shelf.free(held);
    this.#start += rows.length;
  }
}

/** Rows of another list in an order of their own. */
export class OrderedRows implements HoldingRows {
  readonly #rows: RowSequence;
  readonly #order: Uint32Array;

  constructor(rows: RowSequence, order: Uint32Array) {
    this.#rows = rows;
    this.#order = order;
  }

  get length(): number {
    return this.#order.length;
  }

  at(index: number): Row | undefined {
    const place = this.#order[index];
    return place === undefined ? undefined : this.#rows.at(place);
  }

  slice(from = 0, to = this.length): readonly Row[] {
    const rows: Row[] = [];
    for (const place of this.#order.subarray(from, to)) {
      const row = this.#rows.at(place);
      if (row !== undefined) rows.push(row);
    }
    return rows;
  }

  *[Symbol.iterator](): Iterator<Row> {
    for (const place of this.#order) {
      const row = this.#rows.at(place);
      if (row !== undefined) yield row;
    }
  }

  *hold(test: (row: Row) => boolean): Pausable<readonly Row[]> {
    // Rows that are held are the same wherever they are read.
    const held = new Set(yield* holdRows(this.#rows, test));
    if (held.size === 0) return [];
    const found: Row[] = [];
    yield* visitEach(this, (row) => {
      if (held.has(row)) found.push(row);
    });
    return found;
  }
}

/** The rows of a list that stand behind its first ones when this is made; none is read before it is asked for. */
export class LaterRows implements RowSequence {
  readonly #rows: RowSequence;
  readonly #from: number;
  readonly length: number;

  constructor(rows: RowSequence, from: number) {
    this.#rows = rows;
    this.#from = Math.min(from, rows.length);
    this.length = rows.length - this.#from;
  }

  at(index: number): Row | undefined {
    return index < 0 || index >= this.length ? undefined : this.#rows.at(this.#from + index);
  }

  slice(from = 0, to = this.length): readonly Row[] {
    return this.#rows.slice(this.#from + from, this.#from + Math.min(to, this.length));
  }

  *[Symbol.iterator](): Iterator<Row> {
    const end = this.#from + this.length;
    for (let at = this.#from; at < end;) {
      const next = Math.min(end, (Math.floor(at / CHUNK) + 1) * CHUNK);
      yield* this.#rows.slice(at, next);
      at = next;
    }
  }
}
