import type { Catalog, Exposure, Policy } from "@plasm/core";
import type { SessionAtSlot, StoreOps } from "../store-port.ts";
import type { ExecuteSession, SessionKey, WaveRecord } from "../records/sessions.ts";
import type { PinnedCatalogs } from "./catalog-content.ts";
import type { TraceKey } from "../records/traces.ts";

/** A live execute session with everything a program is read against. */
export interface SessionView {
  readonly session: ExecuteSession;
  readonly waves: readonly WaveRecord[];
  readonly exposure: Exposure;
}

/** What a session's content is read by. */
type ContentReads = Pick<StoreOps, "waves" | "isPinned" | "pinnedCatalog">;

/** The same of a session that was found with its content: that is read no more. */
export function readsOf(
  store: ContentReads,
  { session, waves, pinned }: SessionAtSlot,
  after: number,
): ContentReads {
  const isThere = new Set(pinned);
  return {
    waves: async (key, from = 0) =>
      key.sessionId === session.sessionId && from >= after ? waves : store.waves(key, from),
    isPinned: async (digest) => isThere.has(digest) || store.isPinned(digest),
    pinnedCatalog: (digest) => store.pinnedCatalog(digest),
  };
}

/** Catalogs of the log by entry id; null if content of one of them is gone (SESS-12). */
async function catalogsOf(
  store: ContentReads,
  pinned: PinnedCatalogs,
  waves: readonly WaveRecord[],
): Promise<ReadonlyMap<string, Catalog> | null> {
  const catalogs = new Map<string, Catalog>();
  for (const { entry } of waves) {
    const { entryId, digest } = entry;
    if (catalogs.has(entryId)) continue;
    const catalog = await pinned.read(store, entryId, digest);
    if (catalog === null) return null;
    catalogs.set(entryId, catalog);
  }
  return catalogs;
}

/**
 * Folds a session's wave log into its exposure (TEACH-4, TEACH-6); null if a catalog is gone. Waves that this
 * process has read before are not read again: they never change.
 */
export async function viewSession(
  store: ContentReads,
  pinned: PinnedCatalogs,
  session: ExecuteSession,
  policy: Policy,
): Promise<SessionView | null> {
  const before = pinned.logs.of(session);
  const last = before.waves.length;
  const added = (await store.waves(session, last)).filter(({ n }) => n > last);
  const waves = added.length === 0 ? before.waves : [...before.waves, ...added];
  const catalogs = await catalogsOf(store, pinned, waves);
  if (catalogs === null) return null;
  const { log, symbols } = pinned.logs.extend(session, { before, added, waves }, catalogs);
  const { notation, readOnly = false } = session;
  const exposure: Exposure = { catalogs, log, symbols, notation, policy, readOnly };
  return { session, waves, exposure };
}

const known = new WeakMap<readonly WaveRecord[], ReadonlySet<string>>();

/**
 * What policy kept from being taught in a session, as `entry_id/capability`: whoever names it is told of
 * nothing (SURF-26, TEACH-24). Found once for a log, which is another one when it grows.
 */
export function untaughtIn({ waves }: Pick<SessionView, "waves">): ReadonlySet<string> {
  const found = known.get(waves) ?? untaughtBy(waves);
  known.set(waves, found);
  return found;
}

const untaughtBy = (waves: readonly WaveRecord[]): ReadonlySet<string> =>
  new Set(
    waves.flatMap(({ entry, untaught }) =>
      untaught
        .filter(({ reason }) => reason === "policy")
        .map(({ capability }) => `${entry.entryId}/${capability}`),
    ),
  );

/** Whose trace a session's is: the logical session's, else its own (SURF-29). */
export const traceOfSession = (session: ExecuteSession): TraceKey => ({
  scope: session.scope,
  owner: session.logicalId ?? session.sessionId,
  kind: session.logicalId === null ? "execute" : "logical",
  subject: session.subject,
  ...(session.opener === undefined ? {} : { opener: session.opener }),
});

/** The same by the key of a session; null if it is kept no longer. */
export async function traceOfKey(
  store: StoreOps,
  scope: string,
  key: SessionKey,
): Promise<TraceKey | null> {
  const session = await store.session(scope, key);
  return session === null ? null : traceOfSession(session);
}
