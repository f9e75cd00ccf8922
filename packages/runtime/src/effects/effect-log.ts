import type { Json, JsonObject } from "@plasm/core";
import type { RunError } from "../run-error.ts";

export type EffectStatus = "started" | "done" | "failed" | "in_doubt" | "skipped";

/**
 * One effect of a run (PLAN-073). `row` is the item index of a for_each, else null; `args` are
 * redacted; times are milliseconds since the epoch. An entry without outcome is in doubt.
 */
export interface EffectEntry {
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
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly httpStatus: number | null;
  /** rows the effect answered with */
  readonly result: Json;
  readonly error: RunError | null;
}

/**
 * Where a run writes its effects down (OPS-28). `started` must be durable before the request
 * leaves, `ended` before the next effect starts.
 */
export interface EffectLog {
  started(entry: EffectEntry): Promise<void>;
  ended(entry: EffectEntry): Promise<void>;
}
