import type { Notation } from "@plasm/core";
import { sha256Hex } from "@plasm/core/internal";
import { type Caller, principalOf } from "../identity/caller.ts";
import type { StoreOps } from "../store-port.ts";
import type {
  AccountNames,
  ExecuteSession,
  LogicalSession,
  SessionKey,
} from "../records/sessions.ts";
import { refuseUnbound, withNamed } from "./accounts.ts";
import type { ContextBase } from "./context-base.ts";
import { slotRef } from "./handles.ts";
import { withLoss } from "./live-session.ts";
import type { PreparedWaves } from "./prepare-context.ts";
import type { SessionDeps } from "./session-deps.ts";

/** Another call changed the session in between: compute again from what is there now (SESS-34). */
class Conflict extends Error {}

export interface ContextWrite {
  readonly base: ContextBase;
  readonly prepared: PreparedWaves;
  readonly notation: Notation;
  readonly readOnly: boolean;
  readonly primary: string;
  readonly intent: string | null;
  /** the accounts that its seeds name */
  readonly accounts: AccountNames;
}

/** What a call writes besides; false where another call came in between. */
export type ExtraWrite = (tx: StoreOps, owner: string) => Promise<boolean>;

export interface Written {
  readonly key: SessionKey;
  readonly ref: string | null;
}

function newSession(deps: SessionDeps, caller: Caller, write: ContextWrite): ExecuteSession {
  const now = deps.store.now();
  return {
    promptHash: sha256Hex(write.prepared.waves[0]?.text ?? ""),
    sessionId: deps.newSessionId(),
    scope: caller.scope,
    subject: deps.delegation(caller).principal,
    logicalId: write.base.logicalId,
    ...(write.base.logicalId === null ? { opener: principalOf(caller) } : {}),
    notation: write.notation,
    ...(write.readOnly ? { readOnly: true } : {}),
    primary: write.primary,
    reuseKey: write.base.reuseKey,
    createdAt: now,
    expiresAt: now + deps.sessionLifetimeMs,
  };
}

async function sessionOf(
  tx: StoreOps,
  deps: SessionDeps,
  caller: Caller,
  write: ContextWrite,
): Promise<SessionKey> {
  const live = write.base.live;
  if (live !== null) return live.session;
  const make = () => newSession(deps, caller, write);
  const { row, created } = await tx.findOrCreateSession(write.base.reuseKey, make);
  if (!created) throw new Conflict();
  return row;
}

function nextLogical(
  now: number,
  deps: SessionDeps,
  caller: Caller,
  write: ContextWrite,
  key: SessionKey,
) {
  const { base } = write;
  const before = base.logical?.value;
  const loss = base.loss === null ? null : { ...base.loss, reported: true };
  const { past } = before === undefined ? {} : withLoss(before, loss);
  const accounts = withNamed(before ?? null, principalOf(caller), write.accounts);
  const next: LogicalSession = {
    uuid: base.logicalId ?? "",
    scope: caller.scope,
    subject: deps.delegation(caller).principal,
    intent: before?.intent ?? write.intent ?? "",
    ...(accounts === undefined ? {} : { accounts }),
    bound: { promptHash: key.promptHash, sessionId: key.sessionId },
    loss,
    ...(past === undefined ? {} : { past }),
    createdAt: before?.createdAt ?? now,
    // A clock that was set back makes it no older.
    lastUsedAt: Math.max(now, before?.lastUsedAt ?? now),
  };
  return next;
}

async function bind(
  tx: StoreOps,
  deps: SessionDeps,
  caller: Caller,
  write: ContextWrite,
  key: SessionKey,
): Promise<string | null> {
  const { logicalId, logical } = write.base;
  if (logicalId === null) {
    refuseUnbound(write.accounts);
    return null;
  }
  const next = nextLogical(tx.now(), deps, caller, write, key);
  const written =
    logical === null
      ? await tx.insert("logical", caller.scope, logicalId, next)
      : await tx.cas("logical", caller.scope, logicalId, logical.version, next);
  if (!written) throw new Conflict();
  return slotRef(await tx.slotOf(principalOf(caller), logicalId));
}

/**
 * Writes a context call in one transaction: session, waves at the expected log length, pinned
 * catalogs, binding and slot (SESS-16 step 6), and what goes `along`. Null if another call came in between.
 */
export async function commitContext(
  deps: SessionDeps,
  caller: Caller,
  write: ContextWrite,
  along: ExtraWrite = async () => true,
): Promise<Written | null> {
  try {
    return await deps.store.transaction(async (tx) => {
      for (const pin of write.prepared.pins) await tx.pinCatalog(pin);
      const { promptHash, sessionId } = await sessionOf(tx, deps, caller, write);
      const key = { promptHash, sessionId };
      const length = write.base.live?.waves.length ?? 0;
      const appended = await tx.appendWaves(key, length, write.prepared.waves);
      if (appended === "conflict") throw new Conflict();
      const ref = await bind(tx, deps, caller, write, key);
      if (!(await along(tx, write.base.logicalId ?? sessionId))) throw new Conflict();
      return { key, ref };
    });
  } catch (thrown) {
    if (thrown instanceof Conflict) return null;
    throw thrown;
  }
}
