import { createHash } from "node:crypto";
import type { Clock, IdSource, RunSource } from "../ports.ts";
import type { RecordedRun } from "./recording-file.ts";

/** Made from the seed, so that a replay has the same ids in the same order (RUN-162). */
function drawn(seed: string, what: string, number: number): Buffer {
  return createHash("sha256")
    .update(JSON.stringify([seed, what, number]))
    .digest();
}

/** In the form of a random UUID. */
function uuidOf(bytes: Buffer): string {
  const hex = bytes.toString("hex");
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16);
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`];
  return [...parts, variant + hex.slice(17, 20), hex.slice(20, 32)].join("-");
}

/** From which run on, counted from 0, ids are made from a seed. */
export interface SeededPart {
  readonly run: number;
  readonly seed: string;
}

/** The part of a recording that a run belongs to. */
export function partOf(parts: readonly [SeededPart, ...SeededPart[]], run: number): SeededPart {
  return parts.findLast((part) => part.run <= run) ?? parts[0];
}

/** Ids that begin anew with a seed. */
export interface SeededIds extends IdSource {
  begin(seed: string): void;
}

/** Ids and numbers that are the same in every replay of a recording. */
export function seededIds(first: string): SeededIds {
  let seed = first;
  let ids = 0;
  let numbers = 0;
  return Object.freeze({
    begin(next: string) {
      if (next === seed) return;
      [seed, ids, numbers] = [next, 0, 0];
    },
    id: () => uuidOf(drawn(seed, "id", ids++)),
    random: () => drawn(seed, "number", numbers++).readUInt32BE(0) / 2 ** 32,
  });
}

/** What a new run's clock reading and id are made of. */
export interface RecordedRuns {
  readonly parts: readonly [SeededPart, ...SeededPart[]];
  readonly recorded: readonly RecordedRun[];
  /** how many runs were before the first */
  readonly before: number;
  readonly now: () => number;
  readonly onStart: (at: number, part: SeededPart, isNew: boolean) => void;
}

/** The run clock of a recording: the readings it has, in order, then those of the clock. */
export function recordedRuns(given: RecordedRuns): RunSource {
  const { parts, recorded, before, now, onStart } = given;
  let started = before;
  return Object.freeze({
    start() {
      const number = started++;
      const stored = recorded[number];
      const at = stored?.at ?? now();
      const part = partOf(parts, number);
      onStart(at, part, stored === undefined);
      return { at, id: uuidOf(drawn(part.seed, "run", number)) };
    },
  });
}

/** A clock that can be set, and whose waits are over at once; time moves by them, and as it passes. */
export interface ReplayClock extends Clock {
  set(now: number): void;
}

/** The clock of a replay: each run finds the time at which it was recorded. */
export function replayClock(live: Clock, at: number): ReplayClock {
  let ahead = at - live.now();
  return Object.freeze({
    now: () => live.now() + ahead,
    sleep: (ms: number) => {
      ahead += ms;
      return Promise.resolve();
    },
    set(now: number) {
      ahead = now - live.now();
    },
  });
}
