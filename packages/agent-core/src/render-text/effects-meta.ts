import type { Json } from "@plasm/core";
import type { EffectEntry } from "@plasm/runtime";

const timeOf = (ms: number | null): string | null =>
  ms === null ? null : new Date(ms).toISOString();

/** What went wrong, and in `correction` what to look at where that is in doubt (PLAN-073). */
function errorMeta({ error }: EffectEntry): Json {
  if (error === null) return null;
  const { code, message, correction } = error;
  return { code, message, correction };
}

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
    started_at: timeOf(entry.startedAt),
    ended_at: timeOf(entry.endedAt),
    http_status: entry.httpStatus,
    result: entry.result,
    error: errorMeta(entry),
  }));
