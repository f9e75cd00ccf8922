import { setImmediate as otherWork } from "node:timers/promises";
import type { Aged, ListedTypes, RecordKind, Store, StoreOps } from "../ports.ts";
import { underWayIn, type Look } from "./look.ts";
import { DEFAULT_TIMES, type SweepTimes } from "./retention.ts";
import { removeOwned, type Rule, RULES } from "./rules.ts";

/** What is looked at in one transaction, at most. */
const PORTION = 100;

/** How long content may be there that nothing names yet: it is written first (SESS-30). */
const UNNAMED_MS = 3_600_000;

/** Judges one record; `after` is the age at which its kind is looked at. */
async function judge<K extends RecordKind>(
  kind: K,
  rule: Rule<K>,
  record: Aged<ListedTypes[K]>,
  look: Look,
): Promise<void> {
  const { tx, now, times } = look;
  const { scope, id, version } = record;
  if (rule.by !== "age" && rule.by !== "due") return;
  const due = rule.by === "age" ? now : await rule.due(record, look);
  if (due > now) return tx.ageFrom(kind, scope, id, due - rule.after(times));
  if (!(await tx.remove(kind, scope, id, version))) return;
  if (rule.by === "due") await rule.along?.(record, tx);
}

async function sweepKind<K extends RecordKind>(kind: K, look: Look): Promise<number> {
  const rule: Rule<K> = RULES[kind];
  if (rule.by !== "age" && rule.by !== "due") return 0;
  const { tx, now, times } = look;
  const found = await tx.aged(kind, now - rule.after(times), PORTION);
  for (const record of found) await judge(kind, rule, record, look);
  return found.length;
}

/** Ends sessions whose lifetime is over, but for those that an operation pins (SESS-11, OPS-31). */
async function endSessions({ tx, underWay }: Look): Promise<number> {
  const { sessions } = await underWay();
  const expired = await tx.expiredSessions(sessions, PORTION);
  for (const session of expired) await tx.endSession(session);
  return expired.length;
}

/** Sessions that ended are known as long as snapshots and the reason of a loss may be asked for. */
async function removeSessions({ tx, now, times }: Look): Promise<number> {
  const ended = await tx.endedSessions(now - times.sessions, PORTION);
  for (const session of ended) {
    await removeOwned(tx, session.scope, session.sessionId);
    await tx.removeSession(session);
  }
  return ended.length;
}

type Step = (look: Look) => Promise<number>;

/** In this order, what goes sets free what comes after it. */
const STEPS: readonly Step[] = [
  ({ tx }) => tx.settle(PORTION),
  endSessions,
  ...(Object.keys(RULES) as RecordKind[]).map(
    (kind): Step =>
      (look) =>
        sweepKind(kind, look),
  ),
  removeSessions,
  ({ tx, now }) => tx.removeCatalogs(now - UNNAMED_MS, PORTION),
  ({ tx, now }) => tx.removeBlobs(now - UNNAMED_MS, PORTION),
];

async function portion(store: Store, step: Step, times: SweepTimes): Promise<number> {
  return store.transaction(async (tx: StoreOps) =>
    step({ tx, now: tx.now(), times, underWay: underWayIn(tx) }),
  );
}

/**
 * Removes all that is kept no longer (SESS-37), of all scopes, in portions of one transaction each, between
 * which others have their turn. Any number of processes may sweep a store at once. Stops after a portion
 * where `signal` has aborted.
 */
export async function sweep(
  store: Store,
  times: SweepTimes = DEFAULT_TIMES,
  signal?: AbortSignal,
): Promise<void> {
  for (const step of STEPS) {
    for (;;) {
      if (signal?.aborted === true) return;
      const looked = await portion(store, step, times);
      if (looked < PORTION) break;
      await otherWork();
    }
  }
}
