import { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import type { RunMemory } from "../limits/row-memory.ts";

/** Bytes that were put away. */
export interface ShelvedBytes {
  /** The bytes from one place to another. */
  read(from: number, to: number): Buffer;
}

/** Where a run puts what it will not need soon. */
export interface Shelf {
  /** Puts bytes away, which may be changed afterwards; they can be read until the shelf is closed. */
  put(bytes: Uint8Array): ShelvedBytes;
  /** Gives back what rows were counted as that were put away, but for what stays in memory of them. */
  free(bytes: number): void;
  /** Removes everything that was put away. */
  close(): void;
}

/** Where the processes that share a data directory put rows away. */
export interface SpillPlace {
  /** a directory that nobody else may read; its files are removed as soon as they are open */
  readonly directory: string;
  /** how many bytes all runs of this process may have there */
  readonly most: number;
}

/** Whether a process that made a file is gone; one that may not be asked is there. */
function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return pid === process.pid;
  } catch (thrown) {
    return thrown instanceof Error && "code" in thrown && thrown.code === "ESRCH";
  }
}

/**
 * Opens a place for rows in a directory, which is made if it is not there, and removes what processes have left there
 * that were killed. Null where the directory cannot be used: rows stay in memory then.
 */
export function openSpillPlace(directory: string, most: number): SpillPlace | null {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(directory)) {
      const [, pid] = /^(\d+)-[0-9a-f]+\.rows$/.exec(name) ?? [];
      if (pid !== undefined && isGone(Number(pid))) unlinkSync(join(directory, name));
    }
    return { directory, most };
  } catch {
    return null;
  }
}

/** So much of a run stays in memory, in bytes, before anything of it goes into a file. */
const IN_MEMORY = 4 * 1024 * 1024;

/** Bytes in files of this process, of all runs. */
let spilled = 0;

/** How many bytes all runs of this process have in files. */
export const spilledBytes = (): number => spilled;

/**
 * A file that has no name any more once it is open: it goes with the process, however that ends. Where a system keeps
 * the name of an open file, it is removed when the file is closed.
 */
class SpillFile {
  readonly #path: string;
  readonly #file: number;
  #named = true;
  #isOpen = true;
  #end = 0;

  constructor(directory: string) {
    this.#path = join(directory, `${process.pid}-${randomBytes(8).toString("hex")}.rows`);
    this.#file = openSync(this.#path, "wx+", 0o600);
    this.#remove();
  }

  write(bytes: Uint8Array): number {
    const from = this.#end;
    let written = 0;
    while (written < bytes.length) {
      written += writeSync(this.#file, bytes, written, bytes.length - written, from + written);
    }
    this.#end += bytes.length;
    spilled += bytes.length;
    return from;
  }

  read(from: number, to: number): Buffer {
    // Its number may be another file's by now.
    if (!this.#isOpen) throw new Error("rows that were put away are read after their run");
    const bytes = Buffer.allocUnsafe(to - from);
    let read = 0;
    while (read < bytes.length) {
      const more = readSync(this.#file, bytes, read, bytes.length - read, from + read);
      if (more === 0) throw new Error(`rows that were put away are gone: ${from} to ${to}`);
      read += more;
    }
    return bytes;
  }

  close(): void {
    this.#isOpen = false;
    closeSync(this.#file);
    spilled -= this.#end;
    if (this.#named) this.#remove();
  }

  #remove(): void {
    try {
      unlinkSync(this.#path);
      this.#named = false;
    } catch {
      // It is still open, and this system minds.
    }
  }
}

/**
 * The shelf of one run. What goes there stays in memory at first, counted as a part of what its rows were; the rest goes into a file of the run
 * as far as there is a place for it. Where the place is full, or cannot be written, it stays in memory, too.
 */
export function openShelf(memory: RunMemory, place: SpillPlace | null): Shelf {
  let inMemory = 0;
  /** what stays in memory of what rows were counted as: taking more for it could have runs wait in a circle */
  let owed = 0;
  let file: SpillFile | null = null;
  let isOpen = true;
  const spill = (bytes: Uint8Array): number | null => {
    if (place === null || spilled + bytes.length > place.most) return null;
    try {
      file ??= new SpillFile(place.directory);
      return file.write(bytes);
    } catch {
      // A full disk or a directory that is gone: memory and its limits are left.
      return null;
    }
  };
  return {
    put(bytes) {
      const isSmall = inMemory + bytes.length <= IN_MEMORY;
      const from = isSmall || !isOpen ? null : spill(bytes);
      if (from !== null && file !== null) {
        const kept = file;
        return { read: (first, end) => kept.read(from + first, from + end) };
      }
      const own = Buffer.from(bytes);
      inMemory += own.length;
      owed += own.length;
      return { read: (first, end) => own.subarray(first, end) };
    },
    free(bytes) {
      const back = Math.max(0, bytes - owed);
      owed = Math.max(0, owed - bytes);
      memory.give(back);
    },
    close() {
      isOpen = false;
      file?.close();
      file = null;
    },
  };
}
