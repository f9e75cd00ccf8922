import type { Policy } from "@plasm/core";
import type { Caller } from "../identity/caller.ts";
import type { Stored } from "../ports.ts";
import type { SessionKey } from "../records/execute-session.ts";
import type { LogicalSession, Loss } from "../records/logical-session.ts";
import type { CatalogSource } from "./catalog-source.ts";
import { lostPair, unknownPair } from "./handles.ts";
import { isOwnSession, lossOf, recordLossOfPair, reviveSession } from "./live-session.ts";
import { primarySeeds } from "./prepare-context.ts";
import { reuseKey } from "./reuse-key.ts";
import type { SeedGroup } from "./seeds.ts";
import type { SessionDeps } from "./session-deps.ts";
import type { SessionView } from "./session-view.ts";

/** What a context call starts from. */
export interface ContextBase {
  readonly logicalId: string | null;
  readonly logical: Stored<LogicalSession> | null;
  /** the session the seeds are applied to; null: a new one is opened */
  readonly live: SessionView | null;
  /** a loss this call finds or an earlier one found, not yet done with (SESS-25) */
  readonly loss: Loss | null;
  readonly reuseKey: string;
}

async function keyFor(
  deps: SessionDeps,
  source: CatalogSource,
  caller: Caller,
  groups: readonly [SeedGroup, ...SeedGroup[]],
  { logicalId, readOnly }: { readonly logicalId: string | null; readonly readOnly: boolean },
): Promise<string> {
  const { entities, digest } = await primarySeeds(source, groups, logicalId);
  const primary = groups[0].entryId;
  return reuseKey({
    scope: caller.scope,
    primary,
    digest,
    entities,
    principal: deps.delegation(caller).principal,
    pluginGeneration: deps.pluginGeneration,
    logicalId,
    readOnly,
  });
}

/** The session of a logical session: live, lost, or none yet. */
export async function boundBase(
  deps: SessionDeps,
  source: CatalogSource,
  caller: Caller,
  logicalId: string,
  groups: readonly [SeedGroup, ...SeedGroup[]],
  policy: Policy,
): Promise<ContextBase> {
  const logical = await deps.store.get("logical", caller.scope, logicalId);
  const bound = logical?.value.bound ?? null;
  const found = bound === null ? null : await reviveSession(deps, caller.scope, bound, policy);
  if (found?.live === true) {
    // It keeps its catalogs: nothing is opened for its key (RUN-173).
    const { reuseKey: own } = found.view.session;
    const loss = logical?.value.loss ?? null;
    return { logicalId, logical, live: found.view, loss, reuseKey: own };
  }
  const key = await keyFor(deps, source, caller, groups, { logicalId, readOnly: false });
  if (logical === null || bound === null || found === null) {
    return { logicalId, logical, live: null, loss: null, reuseKey: key };
  }
  const loss = lossOf(logical.value, bound, found.reason);
  return { logicalId, logical, live: null, loss, reuseKey: key };
}

/**
 * A host without intent: an equal open reuses the live session of the key (SESS-14, B19). It has no other
 * intent to turn to, so one that only reads and one that does not are two sessions.
 */
export async function unboundBase(
  deps: SessionDeps,
  source: CatalogSource,
  caller: Caller,
  groups: readonly [SeedGroup, ...SeedGroup[]],
  { policy, readOnly }: { readonly policy: Policy; readonly readOnly: boolean },
): Promise<ContextBase> {
  // Who cannot be told from others meets nobody's session, not even its own (SESS-8).
  const key =
    caller.anonymous === true
      ? deps.newSessionId()
      : await keyFor(deps, source, caller, groups, { logicalId: null, readOnly });
  const session = await deps.store.liveSession(key);
  const found = session === null ? null : await reviveSession(deps, caller.scope, session, policy);
  const live = found?.live === true ? found.view : null;
  return { logicalId: null, logical: null, live, loss: null, reuseKey: key };
}

/** Exactly the named execute session, which must live (HTTP `…/context`). */
export async function namedBase(
  deps: SessionDeps,
  caller: Caller,
  named: SessionKey,
  policy: Policy,
): Promise<ContextBase> {
  if (!(await isOwnSession(deps, caller, named))) throw unknownPair();
  const found = await reviveSession(deps, caller.scope, named, policy);
  if (!found.live) {
    if (found.reason === "missing") throw unknownPair();
    throw lostPair(await recordLossOfPair(deps, caller.scope, named, found.reason));
  }
  const { session } = found.view;
  const logicalId = session.logicalId;
  const logical =
    logicalId === null ? null : await deps.store.get("logical", caller.scope, logicalId);
  const loss = logical?.value.loss ?? null;
  return { logicalId, logical, live: found.view, loss, reuseKey: session.reuseKey };
}
