import { Buffer } from "node:buffer";
import { randomInt } from "node:crypto";
import type { Shelf, ShelvedBytes } from "./shelf.ts";

/** So many texts are put away together, once there are as many as are never put away. */
const CHUNK = 1_024;
const OPEN = 4_096;

/** Texts in order, of which the first many are on the shelf once there are more: they are hardly ever read again. */
export class TextLog {
  readonly #shelf: Shelf;
  readonly #chunks: ShelvedChunk[] = [];
  #tail: (string | null)[] = [];

  constructor(shelf: Shelf, texts: readonly (string | null)[] = []) {
    this.#shelf = shelf;
    for (const text of texts) this.push(text);
  }

  get length(): number {
    return this.#chunks.length * CHUNK + this.#tail.length;
  }

  push(text: string | null): void {
    this.#tail.push(text);
    if (this.length <= OPEN || this.#tail.length < 2 * CHUNK) return;
    const bytes = Buffer.from(JSON.stringify(this.#tail.splice(0, CHUNK)));
    this.#chunks.push({ bytes: this.#shelf.put(bytes), length: bytes.length });
  }

  slice(from = 0, to = this.length): (string | null)[] {
    const texts: (string | null)[] = [];
    for (let at = Math.floor(from / CHUNK); at < this.#chunks.length && at * CHUNK < to; at++) {
      const start = at * CHUNK;
      const chunk = this.#chunks[at];
      if (chunk === undefined) break;
      const some: readonly (string | null)[] = JSON.parse(
        chunk.bytes.read(0, chunk.length).toString(),
      );
      for (const text of some.slice(Math.max(0, from - start), to - start)) texts.push(text);
    }
    const start = this.#chunks.length * CHUNK;
    for (const text of this.#tail.slice(Math.max(0, from - start), Math.max(0, to - start))) {
      texts.push(text);
    }
    return texts;
  }
}

interface ShelvedChunk {
  readonly bytes: ShelvedBytes;
  readonly length: number;
}

/** Words of a text's mark. */
const WORDS = 4;

/**
 * Marks of texts in place of the texts: 128 bits that start from a number of this process, so that no two texts of one
 * list have the same by chance.
 */
class MarkTable {
  readonly #seeds = Array.from({ length: WORDS }, () => randomInt(2 ** 32));
  #slots = 2 ** 14;
  #table = new Uint32Array(this.#slots * WORDS);
  #size = 0;
  readonly #mark = new Uint32Array(WORDS);

  has(text: string): boolean {
    this.#marked(text);
    return this.#find(this.#mark) < 0;
  }

  add(text: string): void {
    this.#marked(text);
    const slot = this.#find(this.#mark);
    if (slot < 0) return;
    this.#table.set(this.#mark, slot * WORDS);
    this.#size += 1;
    if (this.#size * 3 > this.#slots * 2) this.#grow();
  }

  /** The free slot for a mark; below 0 where it is there already. */
  #find(mark: Uint32Array): number {
    const table = this.#table;
    for (let slot = (mark[0] ?? 0) & (this.#slots - 1); ; slot = (slot + 1) & (this.#slots - 1)) {
      const at = slot * WORDS;
      // No mark has 0 for its last word.
      if (table[at + WORDS - 1] === 0) return slot;
      let word = 0;
      while (word < WORDS && table[at + word] === mark[word]) word++;
      if (word === WORDS) return -1;
    }
  }

  #grow(): void {
    const before = this.#table;
    this.#slots *= 2;
    this.#table = new Uint32Array(this.#slots * WORDS);
    for (let at = 0; at < before.length; at += WORDS) {
      if (before[at + WORDS - 1] === 0) continue;
      const mark = before.subarray(at, at + WORDS);
      this.#table.set(mark, this.#find(mark) * WORDS);
    }
  }

  #marked(text: string): void {
    let [a = 0, b = 0, c = 0, d = 0] = this.#seeds;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      a = b ^ Math.imul(a ^ code, 597_399_067);
      b = c ^ Math.imul(b ^ code, 2_869_860_233);
      c = d ^ Math.imul(c ^ code, 951_274_213);
      d = a ^ Math.imul(d ^ code, 2_716_044_179);
    }
    a = Math.imul(c ^ (a >>> 18), 597_399_067);
    b = Math.imul(d ^ (b >>> 22), 2_869_860_233);
    c = Math.imul(a ^ (c >>> 17), 951_274_213);
    d = Math.imul(b ^ (d >>> 19), 2_716_044_179);
    const mark = this.#mark;
    mark[0] = a ^ b ^ c ^ d;
    mark[1] = b ^ a;
    mark[2] = c ^ a;
    mark[3] = (d ^ a) | 1;
  }
}

/** Texts that were seen, each once, in the order they came; of many, what they were is on the shelf. */
export class SeenTexts {
  readonly #log: TextLog;
  #few: Set<string> | null = new Set();
  #marks: MarkTable | null = null;
  #last: string | undefined;

  constructor(shelf: Shelf, texts: readonly string[] = []) {
    this.#log = new TextLog(shelf);
    for (const text of texts) this.add(text);
  }

  get size(): number {
    return this.#log.length;
  }

  /** The text that was added last. */
  get last(): string | undefined {
    return this.#last;
  }

  has(text: string): boolean {
    return this.#few?.has(text) ?? this.#marks?.has(text) === true;
  }

  add(text: string): void {
    if (this.has(text)) return;
    this.#log.push(text);
    this.#last = text;
    this.#marks?.add(text);
    this.#few?.add(text);
    if (this.#few === null || this.#few.size <= OPEN) return;
    this.#marks = new MarkTable();
    for (const each of this.#few) this.#marks.add(each);
    this.#few = null;
  }

  texts(): readonly string[] {
    return this.#log.slice().filter((text) => text !== null);
  }
}
