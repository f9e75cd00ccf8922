import { foldWaves, type CatalogSet, type SymbolMap, type WaveEntry } from "@plasm/core";
import type { ExecuteSession, SessionKey } from "../records/execute-session.ts";
import type { WaveRecord } from "../records/wave-record.ts";

/** A session's waves and what they fold to. */
export interface SessionLog {
  readonly waves: readonly WaveRecord[];
  readonly log: readonly WaveEntry[];
  readonly symbols: SymbolMap;
}

/** What was remembered, what was read since, and both together. */
interface ReadOn {
  readonly before: SessionLog;
  readonly added: readonly WaveRecord[];
  readonly waves: readonly WaveRecord[];
}

const NOTHING: SessionLog = Object.freeze({
  waves: [],
  log: [],
  symbols: foldWaves([], new Map()),
});

/** How many sessions are remembered, those used last: some 250 KB each where a session has 300 entities. */
const REMEMBERED = 256;

/**
 * Wave logs as this process has read them, so that a call reads and folds what was appended since, and not
 * the whole session. Waves that are written never change (TEACH-30).
 */
export class SessionLogs {
  readonly #known = new Map<string, SessionLog>();

  /** What is remembered of a session; nothing once it has ended, since its waves go then (SESS-37). */
  of({ sessionId, endedAt }: ExecuteSession): SessionLog {
    if (endedAt === undefined) return this.#known.get(sessionId) ?? NOTHING;
    this.#known.delete(sessionId);
    return NOTHING;
  }

  /** The same with the waves that were read since, remembered; `catalogs` are those of all waves. */
  extend({ sessionId, endedAt }: ExecuteSession, read: ReadOn, catalogs: CatalogSet): SessionLog {
    const now = read.added.length === 0 ? read.before : follow(read, catalogs);
    if (endedAt !== undefined) return now;
    this.#known.delete(sessionId);
    this.#known.set(sessionId, now);
    const oldest = this.#known.keys().next();
    if (this.#known.size > REMEMBERED && !oldest.done) this.#known.delete(oldest.value);
    return now;
  }

  /** Has a session read whole again: what is remembered is not what the store has. */
  forget({ sessionId }: SessionKey): void {
    this.#known.delete(sessionId);
  }
}

function follow({ before, added, waves }: ReadOn, catalogs: CatalogSet): SessionLog {
  const entries = added.map((wave) => wave.entry);
  const symbols = foldWaves(entries, catalogs, before.symbols);
  return Object.freeze({ waves, log: [...before.log, ...entries], symbols });
}
