import type { JsonObject } from "@plasm/core";
import type { WaveRecord } from "../records/sessions.ts";
import type { ContextOutcome } from "./context-request.ts";

const waveMeta = (wave: WaveRecord): JsonObject => ({
  n: wave.n,
  mode: wave.mode,
  entry_id: wave.entry.entryId,
  digest: wave.entry.digest,
  entities: [...wave.entry.entities],
  e: [...wave.e],
  m: wave.m === null ? null : [...wave.m],
  p: wave.p === null ? null : [...wave.p],
  parts: [...wave.parts],
  tokens: wave.tokens,
  untaught: wave.untaught.map((one) => ({ ...one })),
  ...(wave.cut === undefined ? {} : { cut: wave.cut.map((one) => ({ ...one })) }),
});

/** `_meta.plasm` of a context answer (SURF-7, SESS-24). */
export function contextMeta(outcome: ContextOutcome): JsonObject {
  return {
    logical_session_id: outcome.logicalId,
    logical_session_ref: outcome.ref,
    execute_binding: {
      prompt_hash: outcome.key.promptHash,
      session_id: outcome.key.sessionId,
    },
    reused: outcome.reused,
    notation: outcome.notation,
    ...(outcome.readOnly ? { read_only: true } : {}),
    domain_revision: outcome.waves.length,
    ...(outcome.resolved.length === 0
      ? {}
      : { resolved_seeds: outcome.resolved.map((one) => ({ ...one })) }),
    catalog_entry_ids: [...new Set(outcome.waves.map((wave) => wave.entry.entryId))],
    continuity: { ...outcome.continuity },
    waves: outcome.sent.map(waveMeta),
    grafts: { count: 0 },
  };
}
