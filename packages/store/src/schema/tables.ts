import type { Generated } from "kysely";

/** The tables, the same for every dialect. Times are ms since the epoch; bodies are JSON text. */
export interface Tables {
  records: {
    /** insertion order, for stable listings */
    seq: Generated<number>;
    kind: string;
    scope: string;
    id: string;
    version: number;
    body: string;
  };
  counters: { owner: string; kind: string; next: number };
  slots: { principal: string; slot: number; logical_id: string };
  execute_sessions: {
    session_id: string;
    prompt_hash: string;
    scope: string;
    /** null once the session has lost its key to a successor */
    reuse_key: string | null;
    expires_at: number;
    body: string;
  };
  waves: { session_id: string; n: number; body: string };
  catalogs: { digest: string; body: string };
  blobs: { sha256: string; bytes: Uint8Array };
}
