import type { Json } from "@plasm/core";
import type { EffectEntry } from "@plasm/runtime";

/** Effects as `_meta.plasm.effects` holds them (PLAN-041, PLAN-073). */
export const effectsMeta = (effects: readonly EffectEntry[]): readonly Json[] =>
  effects.map((entry) => ({
    seq: entry.seq,
    node: entry.node,
    row: entry.row,
    catalog: entry.entryId,
    capability: entry.capability,
    target: entry.target,
    args: entry.args,
    idempotency_key: entry.idempotencyKey,
    status: entry.status,
    started_at: entry.startedAt,
    ended_at: entry.endedAt,
    http_status: entry.httpStatus,
    error: entry.error === null ? null : { code: entry.error.code, message: entry.error.message },
  }));
