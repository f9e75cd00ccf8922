import type { Engine, RunAnswer, SessionKey, StructuredResult } from "@plasm/agent-core";
import type { JsonObject } from "@plasm/core";
import type { Replica } from "./replicas.ts";

/** What a call came to. */
export type Told =
  | { readonly ok: true; readonly meta: JsonObject; readonly results: readonly StructuredResult[] }
  | {
      readonly ok: false;
      readonly code: string;
      readonly text: string;
      /** the replica lost its store meanwhile: whatever it says, what it did is not known */
      readonly dead: boolean;
    };

/** Makes a call of a replica and reads what it came to. */
export async function tell(
  { engine, life }: Replica,
  call: (engine: Engine) => Promise<{ readonly meta: JsonObject } | RunAnswer>,
): Promise<Told> {
  try {
    const answer = await call(engine);
    const results = "results" in answer ? answer.results : [];
    return { ok: true, meta: answer.meta, results };
  } catch (thrown) {
    const { code, text } = engine.problemOf(thrown);
    return { ok: false, code, text, dead: life.dead };
  }
}

/** What of a context's `_meta.plasm` is judged (SURF-7). */
export interface ContextMeta {
  readonly logical_session_id: string | null;
  readonly logical_session_ref: string | null;
  readonly execute_binding: { readonly prompt_hash: string; readonly session_id: string };
  readonly reused: boolean;
  readonly domain_revision: number;
  readonly continuity: { readonly new_symbol_space: boolean };
  readonly waves: readonly {
    readonly n: number;
    readonly entry_id: string;
    readonly entities: readonly string[];
    readonly digest: string;
  }[];
}

export const contextMetaOf = (meta: JsonObject): ContextMeta => meta as unknown as ContextMeta;

export const keyOf = ({ execute_binding: pair }: ContextMeta): SessionKey => ({
  promptHash: pair.prompt_hash,
  sessionId: pair.session_id,
});
