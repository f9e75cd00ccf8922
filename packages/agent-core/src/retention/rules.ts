import { COMMIT_LIFETIME_MS, mintedId } from "../program/plan/commits.ts";
import { waitingId } from "../program/gate/ask-operator.ts";
import { hasEnded } from "../program/operation/find-operation.ts";
import { DRIFT_SIGNS_KEPT_MS } from "../program/run/drift-signs.ts";
import { WATCH_EVENTS_KEPT_MS } from "../records/schedules.ts";
import { NOTICE_KEPT_MS } from "../notices/outbox.ts";
import { QUOTA_KEPT_MS } from "../quotas/ledger.ts";
import type { Aged, ListedTypes, RecordKind, StoreOps } from "../store-port.ts";
import type { SessionKey } from "../records/sessions.ts";
import { OVERLAY_KEPT_MS } from "../session/read-overlay.ts";
import { portionsOf } from "../trace/append-batch.ts";
import type { SweepTimes } from "./retention.ts";

/** A time that is named by what it is of, or a fixed one. */
export type Period = (times: SweepTimes) => number;

type Entry<K extends RecordKind> = Aged<ListedTypes[K]>;

/**
 * What becomes of the records of a kind. `age`: each goes so long after its last change. `due`: once that
 * old, it is asked when it may go, which is in the past where it may go now; what is `along` goes with it.
 * `owner` and `commit`: they go with the session, or the ref, that they are of. `stays`: no sweep removes them.
 * `owned`: their ids begin with their session's, and a slash.
 */
export type RetentionRule<K extends RecordKind> = { readonly owned: boolean } & (
  | { readonly by: "age"; readonly after: Period }
  | {
      readonly by: "due";
      readonly after: Period;
      readonly due: (record: Entry<K>, look: Look) => Promise<number>;
      readonly along?: (record: Entry<K>, tx: StoreOps) => Promise<void>;
    }
  | { readonly by: "owner" | "commit" | "stays" | "chain" }
);

const MINUTE_MS = 60_000;

const operations: Period = (times) => times.operations;
const traces: Period = (times) => times.traces;
const snapshots: Period = (times) => times.snapshots;
const sessions: Period = (times) => times.sessions;

/** Ids of operations, and of commits, are `owner/name`; what is of one begins with its id. */
const operationIn = (id: string): string => id.split("/", 2).join("/");

/** The owner that an id of a record begins with. */
export const ownerIn = (id: string): string => id.split("/", 1)[0] ?? "";

/** When a session has ended or will, if nobody uses it: in the past if it is gone. */
async function endOf({ tx, now, underWay }: Look, scope: string, key: SessionKey): Promise<number> {
  const session = await tx.session(scope, key);
  if (session === null) return 0;
  if (session.endedAt !== undefined) return session.endedAt;
  const pinned = (await underWay()).sessions.has(key.sessionId);
  return pinned ? Math.max(session.expiresAt, now + MINUTE_MS) : session.expiresAt;
}

/** The rule of what is of an operation; `operationOf` names it. */
const ofOperation = <K extends RecordKind>(
  operationOf: (record: Entry<K>) => string,
  owned = true,
): RetentionRule<K> => ({
  by: "due",
  after: operations,
  due: (record, look) => withOperation(look, record.scope, operationOf(record)),
  owned,
});

/** What is of an operation stays as long as it does, and is asked again when that may be over. */
async function withOperation(look: Look, scope: string, id: string): Promise<number> {
  const found = await look.tx.peek("operation", scope, id);
  return found === null ? 0 : look.now + look.times.operations;
}

/** Finished operations stay until their session ends, and an hour at least (SESS-37). */
async function operationDue({ scope, value }: Entry<"operation">, look: Look): Promise<number> {
  if (!hasEnded(value.state)) return look.now + look.times.operations;
  const own = (value.endedAt ?? 0) + look.times.operations;
  return Math.max(own, await endOf(look, scope, value.session));
}

/** A ref that nothing ran under goes when it expires; one that did, with its operation (SESS-37). */
async function commitDue({ scope, id, value }: Entry<"commit">, look: Look): Promise<number> {
  switch (value.state) {
    case "live":
    case "waiting":
    case "approved":
      return value.expiresAt;
    case "consumed":
      return withOperation(look, scope, id);
    case "rejected": {
      const own = value.mintedAt + look.times.operations;
      return Math.max(own, await endOf(look, scope, value.session));
    }
  }
}

/**
 * A logical session goes so long after its last use, by a context or a program (SESS-37). The end of
 * its session's lifetime tells when that was.
 */
async function logicalDue({ scope, value }: Entry<"logical">, look: Look): Promise<number> {
  const { times, now, underWay } = look;
  if ((await underWay()).holders.has(value.uuid)) return now + times.operations;
  const end = value.bound === null ? 0 : await endOf(look, scope, value.bound);
  const used = Math.max(value.lastUsedAt, end - times.sessionLifetime);
  return used + times.sessions;
}

/** A plan's ref takes what was kept to find it and to decide on it. */
async function alongCommit({ scope, id, value }: Entry<"commit">, tx: StoreOps): Promise<void> {
  const name = mintedId(value, value.commit);
  const minted = await tx.get("minted", scope, name);
  // The same plan may have a later ref by now.
  if (minted?.value.ref === value.ref) await tx.delete("minted", scope, name);
  await tx.delete("approval", scope, value.uuid);
  await tx.delete("waiting", scope, waitingId(ownerIn(id), value.uuid));
}

/**
 * All that is a session's: its numbers begin again where it is opened again, so that nothing may be left
 * which they once named (SESS-6).
 */
export async function removeOwned(tx: StoreOps, scope: string, owner: string): Promise<void> {
  for (const kind of Object.keys(RULES) as RecordKind[]) {
    if (RULES[kind].owned) await tx.removeAll(kind, scope, `${owner}/`);
  }
  await tx.removeCounters(owner);
}

async function alongLogical({ scope, value }: Entry<"logical">, tx: StoreOps): Promise<void> {
  await removeOwned(tx, scope, value.uuid);
  await tx.freeSlots(value.uuid);
}

/** The rule of every kind of record: a kind without one does not compile (SESS-37). */
export const RULES: { readonly [K in RecordKind]: RetentionRule<K> } = {
  commit: {
    by: "due",
    after: () => COMMIT_LIFETIME_MS,
    due: commitDue,
    along: alongCommit,
    owned: true,
  },
  minted: { by: "commit", owned: true },
  approval: { by: "commit", owned: false },
  waiting: { by: "commit", owned: true },
  rejection: { by: "owner", owned: true },
  mark: { by: "owner", owned: true },
  operation: { by: "due", after: operations, due: operationDue, owned: true },
  effect: ofOperation(({ id }) => operationIn(id)),
  output: ofOperation(({ id }) => operationIn(id)),
  expected: ofOperation(({ id }) => operationIn(id)),
  poll: ofOperation(({ id }) => id),
  number: ofOperation(({ value }) => value.operation),
  seat: ofOperation(({ value }) => value.operation, false),
  task: {
    by: "due",
    after: operations,
    due: ({ scope, value }, look) =>
      value.operation === null ? Promise.resolve(0) : withOperation(look, scope, value.operation),
    owned: false,
  },
  unfinished: {
    by: "due",
    after: operations,
    due: ({ value }, look) => withOperation(look, value.scope, value.id),
    owned: false,
  },
  setAside: {
    by: "due",
    after: operations,
    due: ({ value }, look) => withOperation(look, value.scope, value.id),
    owned: false,
  },
  ended: ofOperation(({ value }) => value.operation, false),
  snapshot: { by: "age", after: snapshots, owned: true },
  file: { by: "age", after: snapshots, owned: true },
  cursor: { by: "age", after: snapshots, owned: true },
  trace: {
    by: "due",
    after: traces,
    due: ({ agedFrom }, { times }) => Promise.resolve(agedFrom + times.traces),
    along: ({ scope, value }, tx) => tx.removeAll("traceEvents", scope, portionsOf(value.owner)),
    owned: true,
  },
  traceEvents: { by: "owner", owned: true },
  graftSet: { by: "owner", owned: true },
  graft: { by: "owner", owned: true },
  connection: { by: "age", after: sessions, owned: false },
  connectionSession: { by: "age", after: sessions, owned: false },
  overlay: { by: "age", after: () => OVERLAY_KEPT_MS, owned: false },
  key: { by: "stays", owned: false },
  policy: { by: "stays", owned: false },
  policyVersion: { by: "stays", owned: false },
  importedCatalog: { by: "stays", owned: false },
  offer: { by: "stays", owned: false },
  savedProgram: { by: "stays", owned: false },
  drift: { by: "stays", owned: false },
  driftSigns: { by: "age", after: () => DRIFT_SIGNS_KEPT_MS, owned: false },
  schedule: { by: "stays", owned: false },
  watched: { by: "stays", owned: false },
  wake: { by: "stays", owned: false },
  watchEvent: { by: "age", after: () => WATCH_EVENTS_KEPT_MS, owned: false },
  consoleSession: {
    by: "due",
    after: () => MINUTE_MS,
    due: ({ value }) => Promise.resolve(value.until),
    owned: false,
  },
  sweep: { by: "stays", owned: false },
  auditEvent: { by: "stays", owned: false },
  auditHead: { by: "stays", owned: false },
  // From the beginning of its chain on, all at once: see sweep.ts (OPS-43).
  auditLine: { by: "chain", owned: false },
  quota: { by: "age", after: () => QUOTA_KEPT_MS, owned: false },
  notice: { by: "age", after: () => NOTICE_KEPT_MS, owned: false },
  dropped: { by: "owner", owned: true },
  // The last one: what it has goes in portions of its own before.
  logical: { by: "due", after: sessions, due: logicalDue, along: alongLogical, owned: false },
};

/** What is under way, whatever the clock says: the sessions of unfinished operations (SESS-11). */
interface UnderWay {
  /** ids of execute sessions */
  readonly sessions: ReadonlySet<string>;
  /** whose operations they are: logical sessions, else execute sessions */
  readonly holders: ReadonlySet<string>;
}

/** A portion of a sweep as its rules see it: one transaction. */
export interface Look {
  readonly tx: StoreOps;
  readonly now: number;
  readonly times: SweepTimes;
  /** read once, by the first rule that asks */
  readonly underWay: () => Promise<UnderWay>;
}

/** The list of unfinished operations of all scopes stands in this scope. */
const EVERYWHERE = "";

/** As many operations as may be unfinished at a time (OPS-14). */
async function readUnderWay(tx: StoreOps): Promise<UnderWay> {
  const records: ListedTypes["operation"][] = [];
  for (const { value } of await tx.list("unfinished", EVERYWHERE, "")) {
    const found = await tx.peek("operation", value.scope, value.id);
    if (found !== null && !hasEnded(found.value.state)) records.push(found.value);
  }
  return {
    sessions: new Set(records.map(({ session }) => session.sessionId)),
    holders: new Set(records.map(({ holder }) => holder)),
  };
}

/** Reads what is under way when it is asked for, and not again. */
export function underWayIn(tx: StoreOps): () => Promise<UnderWay> {
  let read: Promise<UnderWay> | null = null;
  return () => (read ??= readUnderWay(tx));
}
