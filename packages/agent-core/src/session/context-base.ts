import { canonicalJson, type JsonObject, type Policy } from "@plasm/core";
import { sha256Hex } from "@plasm/core/internal";
import { type Caller, principalOf } from "../identity/caller.ts";
import type { Stored } from "../store-port.ts";
import type { LogicalSession, Loss, SessionKey } from "../records/sessions.ts";
import { type CatalogLookup, primarySeeds } from "./prepare-context.ts";
import { lostPair, unknownPair } from "./handles.ts";
import { isOwnSession, lossOf, recordLossOfPair, reviveSession } from "./live-session.ts";
import type { SeedGroups, SeedsOfCall } from "./seeds.ts";
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
  readonly seeds: SeedsOfCall;
}

/** The seeds of the call, for a session that they extend or none yet, and the goal it is known to have. */
export type SeedsFor = (live: SessionView | null, intent: string | null) => SeedsOfCall;

async function keyFor(
  deps: SessionDeps,
  source: CatalogLookup,
  caller: Caller,
  groups: SeedGroups,
  {
    logicalId,
    readOnly,
    policy,
  }: {
    readonly logicalId: string | null;
    readonly readOnly: boolean;
    readonly policy: Policy;
  },
): Promise<string> {
  const { entities, digest } = await primarySeeds(source, groups, policy, logicalId);
  const primary = groups[0].entryId;
  return reuseKey({
    scope: caller.scope,
    primary,
    digest,
    entities,
    // Without an intent a session is one principal's: nobody else asks for it.
    principal:
      deps.delegation(caller).principal ?? (logicalId === null ? principalOf(caller) : null),
    pluginGeneration: deps.pluginGeneration,
    logicalId,
    readOnly,
  });
}

/** The session of a logical session: live, lost, or none yet. */
export async function boundBase(
  deps: SessionDeps,
  source: CatalogLookup,
  caller: Caller,
  { logicalId, intent }: { readonly logicalId: string; readonly intent: string },
  seedsFor: SeedsFor,
  policy: Policy,
): Promise<ContextBase> {
  const logical = await deps.store.get("logical", caller.scope, logicalId);
  const bound = logical?.value.bound ?? null;
  const found = bound === null ? null : await reviveSession(deps, caller.scope, bound, policy);
  if (found?.live === true) {
    // It keeps its catalogs: nothing is opened for its key (RUN-173).
    const { reuseKey: own } = found.view.session;
    const loss = logical?.value.loss ?? null;
    const seeds = seedsFor(found.view, intent);
    return { logicalId, logical, live: found.view, loss, reuseKey: own, seeds };
  }
  const seeds = seedsFor(null, intent);
  const key = await keyFor(deps, source, caller, seeds.groups, {
    logicalId,
    readOnly: false,
    policy,
  });
  if (logical === null || bound === null || found === null) {
    return { logicalId, logical, live: null, loss: null, reuseKey: key, seeds };
  }
  const loss = lossOf(logical.value, bound, found.reason);
  return { logicalId, logical, live: null, loss, reuseKey: key, seeds };
}

/**
 * A host without intent: an equal open reuses the live session of the key (SESS-14, B19). It has no other
 * intent to turn to, so one that only reads and one that does not are two sessions.
 */
export async function unboundBase(
  deps: SessionDeps,
  source: CatalogLookup,
  caller: Caller,
  seedsFor: SeedsFor,
  { policy, readOnly }: { readonly policy: Policy; readonly readOnly: boolean },
): Promise<ContextBase> {
  const seeds = seedsFor(null, null);
  // Who cannot be told from others meets nobody's session, not even its own (SESS-8).
  const key =
    caller.anonymous === true
      ? deps.newSessionId()
      : await keyFor(deps, source, caller, seeds.groups, { logicalId: null, readOnly, policy });
  const session = await deps.store.liveSession(key);
  const found = session === null ? null : await reviveSession(deps, caller.scope, session, policy);
  const live = found?.live === true ? found.view : null;
  return { logicalId: null, logical: null, live, loss: null, reuseKey: key, seeds };
}

/** Exactly the named execute session, which must live (HTTP `…/context`). */
export async function namedBase(
  deps: SessionDeps,
  caller: Caller,
  named: SessionKey,
  seedsFor: SeedsFor,
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
  const seeds = seedsFor(found.view, logical?.value.intent ?? null);
  return { logicalId, logical, live: found.view, loss, reuseKey: session.reuseKey, seeds };
}

/** Exactly what an open is reused by; absent members stay absent (SESS-13). */
export interface ReuseFacts {
  readonly scope: string;
  readonly primary: string;
  readonly digest: string;
  readonly entities: readonly string[];
  /** whose it is: the user where calls are delegated, who opens it where no intent binds it; else null */
  readonly principal: string | null;
  /** digest of the registered plug-ins, if any */
  readonly pluginGeneration: string | null;
  readonly logicalId: string | null;
  /** hosts that bind no intent alone: there a session that only reads is another one */
  readonly readOnly: boolean;
}

/** The reuse key: changing any one fact gives another execute session (SESS-13, B11 to B17). */
export function reuseKey(facts: ReuseFacts): string {
  const members: JsonObject = {
    tenant_scope: facts.scope,
    entry_id: facts.primary,
    catalog_cgs_hash: facts.digest,
    entities: [...facts.entities],
    ...(facts.principal === null ? {} : { principal: facts.principal }),
    ...(facts.pluginGeneration === null ? {} : { plugin_generation_id: facts.pluginGeneration }),
    ...(facts.logicalId === null ? {} : { logical_session_id: facts.logicalId }),
    ...(facts.readOnly ? { read_only: true } : {}),
  };
  return sha256Hex(canonicalJson(members));
}
