import {
  type Catalog,
  type CatalogSet,
  foldWaves,
  openCatalog,
  type SymbolMap,
  TaughtSessions,
  type WaveEntry,
} from "@plasm/core";
import { loadCatalog, type ProjectedOverlay } from "@plasm/core/internal";
import { applyOverlay, effectiveDigest } from "@plasm/runtime";
import type { CatalogRegistry, RegisteredCatalog } from "../ports.ts";
import type { AskedSlot, StoreOps } from "../store-port.ts";
import type { ExecuteSession, PinnedCatalog, SessionKey, WaveRecord } from "../records/sessions.ts";

/** A catalog as a session uses it: content, digest, and what the store keeps of it. */
export interface SessionCatalog {
  readonly catalog: Catalog;
  readonly pinned: PinnedCatalog;
}

/**
 * The catalog at its effective digest: its own, or with a backend override or an overlay a hash over all
 * (RUN-171), so that a plan made for one server or schema never runs against another.
 */
export function effectiveCatalog(
  registered: RegisteredCatalog,
  backend: string | undefined,
  overlay: ProjectedOverlay | null = null,
): SessionCatalog {
  const { catalog: base, domain, mappings } = registered;
  const { entryId } = base;
  const digest = effectiveDigest({ base: base.digest, backend: backend ?? null, overlay });
  const catalog = overlay === null ? base : applyOverlay(base, overlay);
  return {
    catalog: { ...catalog, digest, base: base.digest },
    pinned: {
      digest,
      entryId,
      domain,
      mappings,
      ...(overlay === null ? {} : { overlay }),
      ...(base.dropped === undefined ? {} : { partial: true as const }),
    },
  };
}

const CACHE_SIZE = 200;

/** Keeps a value as the last, and of all that are kept the last `most`. */
function keepLast<T>(kept: Map<string, T>, key: string, value: T, most: number): void {
  kept.delete(key);
  kept.set(key, value);
  const oldest = kept.keys().next();
  if (kept.size > most && !oldest.done) kept.delete(oldest.value);
}

const keyOf = (entryId: string, digest: string): string => `${entryId} ${digest}`;

/**
 * Catalogs by effective digest, from what the store pins (SESS-12). Compiled ones are kept, and texts that
 * are on offer are not compiled again.
 */
export class PinnedCatalogs {
  /** what was taught of them, by session (TEACH-4) */
  readonly taught = new TaughtSessions();
  /** what was read of their waves, by session (TEACH-30) */
  readonly logs = new SessionLogs();
  readonly #functions: readonly string[];
  readonly #offered: CatalogRegistry["get"];
  readonly #compiled = new Map<string, Catalog>();

  /** `functions` are the names of the registered ones, which mappings may call (RUN-105). */
  constructor(functions: readonly string[], offered: CatalogRegistry["get"]) {
    this.#functions = functions;
    this.#offered = offered;
  }

  /**
   * The content a session opened with, as the catalog `entryId`, or null if it has been withdrawn. A digest knows no
   * entry id (RUN-170): catalogs of equal texts share what is pinned, and nothing else.
   */
  async read(
    store: Pick<StoreOps, "isPinned" | "pinnedCatalog">,
    entryId: string,
    digest: string,
  ): Promise<Catalog | null> {
    const known = this.#compiled.get(keyOf(entryId, digest));
    // What another process has withdrawn is gone here, too.
    if (known !== undefined) return (await store.isPinned(digest)) ? known : null;
    const found = await store.pinnedCatalog(digest);
    if (found === null) return null;
    const pinned = { ...found, entryId };
    const catalog = this.#onOffer(pinned) ?? this.#load(pinned);
    if (catalog === null) return null;
    const whole = pinned.overlay === undefined ? catalog : applyOverlay(catalog, pinned.overlay);
    return this.keep({ ...whole, digest, base: catalog.digest });
  }

  /** The same texts as they were compiled for the registry: most sessions are of what is on offer. */
  #onOffer({ entryId, domain, mappings }: PinnedCatalog): Catalog | null {
    const offered = this.#offered(entryId);
    const isSame = offered?.domain === domain && offered.mappings === mappings;
    return isSame ? offered.catalog : null;
  }

  #load({ entryId, domain, mappings, partial }: PinnedCatalog): Catalog | null {
    // What has faulty parts is checked again to be without them; all else was found good.
    const load = partial === true ? openCatalog : loadCatalog;
    const { catalog } = load({
      entryId,
      functions: this.#functions,
      domain: { file: "domain.yaml", text: domain },
      ...(mappings === null ? {} : { mappings: { file: "mappings.yaml", text: mappings } }),
    });
    return catalog;
  }

  keep(catalog: Catalog): Catalog {
    keepLast(this.#compiled, keyOf(catalog.entryId, catalog.digest), catalog, CACHE_SIZE);
    return catalog;
  }
}

/** A session's waves and what they fold to. */
interface SessionLog {
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

const slotKey = (principal: string, slot: number): string => `${principal} ${slot}`;

/**
 * Wave logs as this process has read them, so that a call reads and folds what was appended since, and not
 * the whole session. Waves that are written never change (TEACH-30).
 */
class SessionLogs {
  readonly #known = new Map<string, SessionLog>();
  /** the sessions that slots led to when they were last looked at */
  readonly #atSlots = new Map<string, string>();

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
    keepLast(this.#known, sessionId, now, REMEMBERED);
    return now;
  }

  /** How much is remembered of the session that a slot led to; null where that is nothing. */
  atSlot(principal: string, slot: number): AskedSlot["known"] {
    const sessionId = this.#atSlots.get(slotKey(principal, slot));
    const log = sessionId === undefined ? undefined : this.#known.get(sessionId);
    return sessionId === undefined || log === undefined
      ? null
      : { sessionId, waves: log.waves.length };
  }

  noteSlot(principal: string, slot: number, { sessionId }: SessionKey): void {
    keepLast(this.#atSlots, slotKey(principal, slot), sessionId, REMEMBERED);
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
