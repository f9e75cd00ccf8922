import type { Json } from "@plasm/core";
import { failure, RunFailure } from "../base/run-failure.ts";
import { type Size, sizeOf } from "../base/json-kinds.ts";
import { RunStop } from "./limits.ts";
import {
  type Patience,
  ROW_SETTINGS,
  type RowLimits,
  RowsTooLarge,
  type RunMemory,
} from "./row-memory.ts";

/** What a cell of a computed row takes in memory, in bytes, whatever stands in it. */
export const CELL_MEMORY = 64;

/** What a row of an API takes in memory besides its own text, in bytes. */
export const ROW_MEMORY = 400;

/** What the text of an answer takes in memory while its rows are made of it, in times its bytes. */
export const TEXT_MEMORY = 3;

/** What a result takes in memory while it is written out as text and as data, in times its bytes. */
const WRITING_MEMORY = 3;

/** What an answer is taken for while none of the run has come, in bytes. */
const SMALL_ANSWER = 16 * 1024;

/** Says which rows are meant: `group g`, as the program names them. */
export type RowsName = () => string;

/**
 * What the rows of one run may come to: computed ones by what they would be written out, all of them by the
 * memory that they share with the rows of other runs. Everything is counted before it is made. Each call throws
 * RunFailure where a limit forbids it and RunStop where the run is cancelled while it waits.
 */
export interface RowBudget {
  /** Counts cells that are about to be computed for rows that `name` tells. */
  compute(name: RowsName, size: Size): Promise<void>;
  /** Refuses one value that alone is more than a run may compute; gives it else. */
  bound<V extends Json>(name: RowsName, value: V): V;
  /**
   * Takes memory for an answer that rows are to be made of: before it is asked for, as much as the largest of the run
   * so far took, and what it takes beyond that once it is there.
   */
  fetch<A>(name: RowsName, send: () => Promise<A>, bytesOf: (answer: A) => number): Promise<A>;
  /** Takes memory for so many rows of an API. */
  rows(name: RowsName, count: number): Promise<void>;
  /** Takes memory while `work` needs it. */
  during<T>(name: RowsName, bytes: number, work: () => T | Promise<T>): Promise<T>;
  /** Counts what is about to be written out for a result. */
  result(name: RowsName, bytes: number): Promise<void>;
  /** Gives back what rows were counted as, in bytes, that are not there any more. */
  give(bytes: number): void;
  /** Counts an answer that may not be lost, whatever the limits say. */
  note(bytes: number): void;
}

const figure = (value: number): string => value.toLocaleString("en-US");

/** A size in words: exact where it is small. */
function bytesText(bytes: number): string {
  const MIB = 1024 * 1024;
  return bytes < MIB ? `${figure(bytes)} bytes` : `${figure(Math.ceil(bytes / MIB))} MiB`;
}

const LESS = "use fewer rows or columns, or nest fewer values in each other";

function refuse(message: string, fix: string, retryable = false): RunFailure {
  return new RunFailure(failure("budget_exceeded", message, fix, { retryable }));
}

function tooManyCells(name: string, found: number, most: number): RunFailure {
  return refuse(
    `With ${name} this run would compute ${figure(found)} cells, written out; at most ${figure(most)} are allowed.`,
    `${LESS}, or raise the setting ${ROW_SETTINGS.cells}`,
  );
}

function tooManyBytes(name: string, found: number, most: number): RunFailure {
  return refuse(
    `With ${name} this run would compute ${bytesText(found)}, written out; at most ${bytesText(most)} are allowed.`,
    `${LESS}, or raise the setting ${ROW_SETTINGS.computed}`,
  );
}

function resultTooLarge(name: string, found: number, most: number): RunFailure {
  return refuse(
    `With ${name} the results of this run would be ${bytesText(found)}, written out; at most ${bytesText(most)} are allowed.`,
    `return fewer rows with .limit(n) or fewer columns, or raise the setting ${ROW_SETTINGS.results}`,
  );
}

function noRoom(nameOf: RowsName, { limit, wanted }: RowsTooLarge, limits: RowLimits): RunFailure {
  const name = nameOf();
  const most = bytesText(limits[limit]);
  const setting = ROW_SETTINGS[limit];
  if (limit === "run") {
    return refuse(
      `With ${name} the rows of this run would take ${bytesText(wanted)} of memory; one run may have ${most}.`,
      `read fewer rows or columns with .limit(n) or a narrower condition, or raise the setting ${setting}`,
    );
  }
  const whose = limit === "tenant" ? "this tenant's runs" : "all runs of this server";
  return refuse(
    `No memory for ${name} came free before the run's time was over: it needs ${bytesText(wanted)}, and ${whose} together may have ${most}.`,
    `run it again when others have ended, or raise the setting ${setting}`,
    true,
  );
}

/** The budget of a run's rows, in the memory that was opened for it. */
export function createRowBudget(memory: RunMemory, patience: Patience): RowBudget {
  const { limits } = memory;
  const used = { cells: 0, computed: 0, results: 0 };
  const take = async (name: RowsName, bytes: number): Promise<void> => {
    if (memory.takeNow(bytes)) return;
    try {
      if (!(await memory.take(bytes, patience))) throw new RunStop("cancelled");
    } catch (thrown) {
      throw thrown instanceof RowsTooLarge ? noRoom(name, thrown, limits) : thrown;
    }
  };
  let largest = SMALL_ANSWER;
  /** What an answer may take; nothing where the run has no room for one so large: it may be smaller. */
  const reserve = async (bytes: number): Promise<number> => {
    try {
      if (!(await memory.take(bytes, patience))) throw new RunStop("cancelled");
      return bytes;
    } catch (thrown) {
      if (thrown instanceof RowsTooLarge && thrown.limit === "run") return 0;
      throw thrown instanceof RowsTooLarge ? noRoom(() => "an answer", thrown, limits) : thrown;
    }
  };
  return {
    async compute(name, { cells, bytes }) {
      const all = { cells: used.cells + cells, computed: used.computed + bytes };
      if (all.cells > limits.cells) throw tooManyCells(name(), all.cells, limits.cells);
      if (all.computed > limits.computed) {
        throw tooManyBytes(name(), all.computed, limits.computed);
      }
      Object.assign(used, all);
      await take(name, cells * CELL_MEMORY + bytes);
    },
    bound(name, value) {
      const { cells, bytes } = sizeOf(value);
      if (cells > limits.cells) throw tooManyCells(name(), cells, limits.cells);
      if (bytes > limits.computed) throw tooManyBytes(name(), bytes, limits.computed);
      return value;
    },
    async fetch(name, send, bytesOf) {
      const most = largest * TEXT_MEMORY;
      const expected = memory.takeNow(most) ? most : await reserve(most);
      let used = 0;
      try {
        const answer = await send();
        const bytes = bytesOf(answer);
        largest = Math.max(largest, bytes);
        used = bytes * TEXT_MEMORY;
        return answer;
      } finally {
        if (used <= expected) memory.give(expected - used);
        else await take(name, used - expected);
      }
    },
    rows: (name, count) => take(name, count * ROW_MEMORY),
    async during(name, bytes, work) {
      await take(name, bytes);
      try {
        return await work();
      } finally {
        memory.give(bytes);
      }
    },
    async result(name, bytes) {
      const all = used.results + bytes;
      if (all > limits.results) throw resultTooLarge(name(), all, limits.results);
      used.results = all;
      await take(name, bytes * WRITING_MEMORY);
    },
    give: (bytes) => memory.give(bytes),
    note: (bytes) => memory.note(bytes * TEXT_MEMORY),
  };
}
