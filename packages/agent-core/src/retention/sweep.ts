import { setImmediate as otherWork } from "node:timers/promises";
import { spilledBytes } from "@plasm/runtime";
import { linkAll, trimAudit } from "../audit/audit-log.ts";
import type { Aged, ListedTypes, RecordKind, Store, StoreOps } from "../store-port.ts";
import { type Look, removeOwned, type RetentionRule, RULES, underWayIn } from "./rules.ts";
import { DEFAULT_TIMES, type SweepTimes } from "./retention.ts";
import { keepWithin, keptWithinText } from "./keep-within.ts";
import type { TenantBytes } from "./tenant-bytes.ts";

/** How often a store is swept, by whichever of its processes. */
export const SWEEP_EVERY_MS = 300_000;

/** A process that has just started has other things to do. */
const FIRST_MS = 10_000;

/** How often a store is looked at for being over its limit. */
export const LOOK_EVERY_MS = 10_000;

const SCOPE = "";
const ID = "store";
/** The turn to bring a store below its limit. */
const BOUND_ID = "bound";

/**
 * Takes the turn to sweep, unless a process had it so shortly ago; of two at once one gets it. A time to
 * come is that of a clock that was set back.
 */
async function takeTurn(store: Store, everyMs: number, id = ID): Promise<boolean> {
  const now = store.now();
  const last = await store.get("sweep", SCOPE, id);
  if (last === null) return store.insert("sweep", SCOPE, id, { at: now });
  const since = now - last.value.at;
  if (since >= 0 && since < everyMs) return false;
  return store.cas("sweep", SCOPE, id, last.version, { at: now });
}

/** What a sweeper is told. */
interface SweeperOptions {
  readonly store: Store;
  readonly times: SweepTimes;
  readonly everyMs: number;
  /** bytes that the store may hold */
  readonly limit: number;
  readonly lookEveryMs: number;
  /** added up whenever the store may have been swept */
  readonly tenants: TenantBytes;
  readonly warn: (what: string, cause: unknown) => void;
}

/** Sweeps a store every so often while it runs (SESS-37). A sweep that fails is tried again with the next. */
export class Sweeper {
  readonly #options: SweeperOptions;
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | null = null;
  #looking: NodeJS.Timeout | null = null;
  #underWay: Promise<void> = Promise.resolve();

  constructor(options: SweeperOptions) {
    this.#options = options;
  }

  start(): void {
    this.#next(Math.min(FIRST_MS, this.#options.everyMs));
    if (this.#options.store.size !== undefined) this.#lookAgain();
  }

  /** Resolves when nothing of it uses the store any more. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (this.#looking !== null) clearTimeout(this.#looking);
    await this.#underWay;
  }

  #next(ms: number): void {
    const { everyMs } = this.#options;
    this.#timer = setTimeout(() => {
      this.#underWay = this.#after(() => this.#sweep()).finally(() => {
        if (!this.#stopping.signal.aborted) this.#next(everyMs);
      });
    }, ms).unref();
  }

  #lookAgain(): void {
    this.#looking = setTimeout(() => {
      this.#underWay = this.#after(() => this.#keepWithin()).finally(() => {
        if (!this.#stopping.signal.aborted) this.#lookAgain();
      });
    }, this.#options.lookEveryMs).unref();
  }

  /** One at a time: what is being swept is not dropped meanwhile. */
  async #after(work: () => Promise<void>): Promise<void> {
    await this.#underWay;
    if (!this.#stopping.signal.aborted) await work();
  }

  /** Brings the store below its limit, at most as often as it is looked at, whichever process does. */
  async #keepWithin(): Promise<void> {
    const { store, limit, lookEveryMs, warn } = this.#options;
    try {
      const size = await store.size?.();
      if (size === undefined || size.used + spilledBytes() <= limit) return;
      if (!(await takeTurn(store, lookEveryMs, BOUND_ID))) return;
      const kept = await keepWithin(store, limit - spilledBytes(), this.#stopping.signal);
      if (kept === null) return;
      await store.reclaim?.();
      warn(keptWithinText(kept, limit), null);
    } catch (cause) {
      if (!this.#stopping.signal.aborted)
        warn("The store could not be kept within its limit", cause);
    }
  }

  async #sweep(): Promise<void> {
    const { store, times, everyMs, warn, tenants } = this.#options;
    try {
      if (await takeTurn(store, everyMs)) {
        await sweep(store, times, this.#stopping.signal);
        await store.reclaim?.();
      }
      if (!this.#stopping.signal.aborted) await tenants.measure(store);
    } catch (cause) {
      if (!this.#stopping.signal.aborted) warn("The store could not be swept", cause);
    }
  }
}

/** What is looked at in one transaction, at most. */
const PORTION = 100;

/** How long content may be there that nothing names yet: it is written first (SESS-30). */
const UNNAMED_MS = 3_600_000;

/** Judges one record; `after` is the age at which its kind is looked at. */
async function judge<K extends RecordKind>(
  kind: K,
  rule: RetentionRule<K>,
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
  const rule: RetentionRule<K> = RULES[kind];
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

/** Lines of audit logs go from the beginning of their chain on (OPS-43). */
async function trimLogs({ tx, now, times }: Look): Promise<number> {
  const until = now - times.audit;
  const aged = await tx.aged("auditLine", until, PORTION);
  let trimmed = 0;
  for (const tenant of new Set(aged.map(({ scope }) => scope))) {
    const { count } = await trimAudit(tx, tenant, until, { most: PORTION, bytes: Infinity });
    trimmed += count;
  }
  return trimmed;
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
  trimLogs,
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
  // What a process that ended has left to be linked has an age, too. A log that cannot be continued is told by whoever
  // links, and keeps nothing else from being swept.
  await linkAll(store).catch(() => undefined);
  for (const step of STEPS) {
    for (;;) {
      if (signal?.aborted === true) return;
      const looked = await portion(store, step, times);
      if (looked < PORTION) break;
      await otherWork();
    }
  }
}
