import type { Clock } from "../ports.ts";
import type { RunError } from "../run-error.ts";
import type { EffectEntry, EffectLog, EffectStatus, ExpectedEffect } from "./effect-log.ts";

/** What is known of an effect before it is sent. */
export type EffectFacts = ExpectedEffect &
  Pick<EffectEntry, "args" | "fingerprint" | "idempotencyKey">;

/** What is known of an effect afterwards. */
export type EffectEnd = Pick<EffectEntry, "httpStatus" | "result" | "error"> & {
  readonly status: Exclude<EffectStatus, "started" | "skipped">;
};

/** The effects of one run, in order, as its answer and its log have them (PLAN-072, PLAN-073). */
export class EffectRecorder {
  readonly #log: EffectLog | null;
  readonly #clock: Clock;
  readonly #entries: EffectEntry[] = [];

  constructor(log: EffectLog | null, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  get entries(): readonly EffectEntry[] {
    return this.#entries;
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
    await this.#log.started(entry);
    this.#entries.push(entry);
    return entry;
  }

  /** Writes down how it ended. The answer has it even where the log rejects. */
  async end(started: EffectEntry, how: EffectEnd): Promise<void> {
    const entry: EffectEntry = Object.freeze({ ...started, ...how, endedAt: this.#clock.now() });
    this.#entries[this.#entries.indexOf(started)] = entry;
    await this.#log?.ended(entry);
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
