import type { JsonObject } from "@plasm/core";
import type { Clock } from "../ports.ts";
import type { RunError } from "../run-error.ts";
import type {
  EarlierAttempt,
  EffectEntry,
  EffectLog,
  EffectStatus,
  ExpectedEffect,
} from "./effect-log.ts";

/** What is known of an effect before it is sent. */
export type EffectFacts = ExpectedEffect &
  Pick<EffectEntry, "args" | "fingerprint" | "idempotencyKey">;

/** What is known of an effect afterwards. */
export type EffectEnd = Pick<EffectEntry, "httpStatus" | "result" | "error"> & {
  readonly status: Exclude<EffectStatus, "started" | "skipped">;
};

/** An entry of an earlier attempt as answers have it: its rows are for the run alone. */
function entryOf(kept: EarlierAttempt["effects"][number]): EffectEntry {
  const { rows, ...entry } = kept;
  return rows === undefined ? kept : Object.freeze(entry);
}

/** The effects of one run, in order, as its answer and its log have them (PLAN-072, PLAN-073). */
export class EffectRecorder {
  readonly #log: EffectLog | null;
  readonly #clock: Clock;
  readonly #entries: EffectEntry[];
  readonly #earlier: EarlierAttempt["effects"];
  /** Gives the rows of nodes that have finished since it was asked last. */
  finished: () => ReadonlyMap<string, JsonObject> = () => new Map();

  constructor(log: EffectLog | null, clock: Clock, earlier: EarlierAttempt["effects"] = []) {
    this.#log = log;
    this.#clock = clock;
    this.#earlier = earlier;
    this.#entries = earlier.map(entryOf);
  }

  get entries(): readonly EffectEntry[] {
    return this.#entries;
  }

  /** How an effect ended in an earlier attempt, or null if that did not come to it (OPS-32). */
  earlier(node: string, row: number | null): EarlierAttempt["effects"][number] | null {
    return this.#earlier.find((entry) => entry.node === node && entry.row === row) ?? null;
  }

  /** Writes down which items a for_each has, before its first effect; rejects where the log does. */
  async expect(all: readonly EffectFacts[]): Promise<void> {
    await this.#log?.expected?.(
      all.map(({ node, row, entryId, entity, capability, label, target }) => ({
        node,
        row,
        entryId,
        entity,
        capability,
        label,
        target,
      })),
    );
  }

  /** Writes down that an effect is about to be sent; rejects where the log does (OPS-28). */
  async start(facts: EffectFacts): Promise<EffectEntry> {
    const entry = this.#entry(facts, "started", this.#clock.now(), null);
    if (this.#log === null) throw new Error("an effect runs without a log");
    const outputs = this.finished();
    if (outputs.size > 0) await this.#log.outputs?.(outputs);
    await this.#log.started(entry);
    this.#entries.push(entry);
    return entry;
  }

  /** Writes down how it ended. The answer has it even where the log rejects. */
  async end(started: EffectEntry, how: EffectEnd, rows: JsonObject | null = null): Promise<void> {
    const entry: EffectEntry = Object.freeze({ ...started, ...how, endedAt: this.#clock.now() });
    this.#entries[this.#entries.indexOf(started)] = entry;
    await this.#log?.ended(entry, rows);
  }

  /** Notes an effect that was certainly not sent; `error` is what kept it from being sent, if it did. */
  skip(facts: EffectFacts, error: RunError | null): void {
    this.#entries.push(this.#entry(facts, "skipped", null, error));
  }

  #entry(
    facts: EffectFacts,
    status: EffectStatus,
    startedAt: number | null,
    error: RunError | null,
  ): EffectEntry {
    const outcome = { status, startedAt, endedAt: null, httpStatus: null, result: null, error };
    return Object.freeze({ seq: this.#entries.length + 1, ...facts, ...outcome });
  }
}
