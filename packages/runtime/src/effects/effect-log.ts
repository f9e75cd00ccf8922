import type { Json, JsonObject } from "@plasm/core";
import type { RunError } from "../run-error.ts";

/** How far an effect came (OPS-28). */
export type EffectStatus = "started" | "done" | "failed" | "in_doubt" | "skipped";

/**
 * One effect of a run (PLAN-073). `row` is the item index of a for_each, else null; `args` are
 * redacted; times are milliseconds since the epoch. An entry without outcome is in doubt; a
 * `skipped` one was never sent, so that its times are null.
 */
export interface EffectEntry {
  /** place among the run's effects, from 1 */
  readonly seq: number;
  readonly node: string;
  readonly row: number | null;
  readonly entryId: string;
  readonly entity: string;
  readonly capability: string;
  /** label of the capability, as programs write it */
  readonly label: string;
  /** identity text (RUN-046), or null for a create */
  readonly target: string | null;
  readonly args: JsonObject;
  readonly fingerprint: string;
  readonly idempotencyKey: string | null;
  readonly status: EffectStatus;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly httpStatus: number | null;
  /** rows the effect answered with, as `{ref, values}`; null unless it is done */
  readonly result: Json;
  readonly error: RunError | null;
}

/** An effect that a run means to perform, known by name alone: nothing of it is filled or sent. */
export type ExpectedEffect = Pick<
  EffectEntry,
  "node" | "row" | "entryId" | "entity" | "capability" | "label" | "target"
>;

/** How far an earlier attempt at a plan came, as its log has it (OPS-32). */
export interface EarlierAttempt {
  /** its effects, all of which came to an end, in order; rows of those that are done */
  readonly effects: readonly (EffectEntry & { readonly rows?: JsonObject | null })[];
  readonly outputs: ReadonlyMap<string, JsonObject>;
}

/**
 * Where a run writes its effects down (OPS-28). `started` must be durable before the request
 * leaves, `ended` before the next effect starts; where one rejects, no further effect starts. Where `started` rejects
 * with a RunStop, the run is stopped and has not failed: it is another's to go on with.
 * What was never started is not written.
 */
export interface EffectLog {
  started(entry: EffectEntry): Promise<void>;
  /** `rows` are those of an effect that is done, as only this package reads them. */
  ended(entry: EffectEntry, rows: JsonObject | null): Promise<void>;
  /**
   * Rows of nodes that have finished, by node, ahead of an effect: what another attempt takes instead of
   * reading them again (OPS-28, OPS-32). Where it rejects, the effect does not start.
   */
  outputs?(rows: ReadonlyMap<string, JsonObject>): Promise<void>;
  /**
   * The items of a for_each, before the first of them starts: what a host can name as not started
   * after the process that ran them died (PLAN-072). Where it rejects, none starts.
   */
  expected?(effects: readonly ExpectedEffect[]): Promise<void>;
}
