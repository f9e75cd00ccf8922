import type { OwnedRun } from "../effects/effect-log.ts";
import type { OperationRecord } from "../../records/operations.ts";
import { changeOperation, hasEnded } from "./find-operation.ts";
import type { OperationDeps } from "../deps.ts";

/** OPS-31: how long an operation's owner may be silent before it counts as abandoned, in ms. */
export const LEASE_MS = 30_000;

/**
 * Says that the owner still runs it; null where it is its own no more. One that lapsed while this process or
 * the store was held up, and that nobody has claimed, is its own again: of a claim and this, one wins (OPS-31).
 */
async function renew(deps: OperationDeps, run: OwnedRun): Promise<OperationRecord | null> {
  const { store } = deps;
  const found = await store.get("operation", run.scope, run.id);
  if (found === null) return null;
  const { state, owner } = found.value;
  if (hasEnded(state)) return found.value;
  if (owner !== run.owner) return null;
  const next = { ...found.value, leaseUntil: store.now() + deps.leaseMs };
  if (await store.cas("operation", run.scope, run.id, found.version, next)) return next;
  // Something else of it changed meanwhile, such as its step: that is no reason to lose it.
  return renew(deps, run);
}

/** Takes back that a process ended while it ran an operation: this one did not, though others had to go on with it. */
async function noteAlive({ store }: OperationDeps, run: OwnedRun): Promise<void> {
  await changeOperation(store, run, (record) => {
    const { owner, state, deaths = 0 } = record;
    return owner === run.owner || deaths === 0 || hasEnded(state)
      ? null
      : { ...record, deaths: deaths - 1 };
  });
}

/** A running operation pins its session, and its end renews it (SESS-11). */
export async function pinSession(
  deps: OperationDeps,
  scope: string,
  { session }: OperationRecord,
): Promise<void> {
  await deps.store.renewSession(scope, session, deps.sessionLifetimeMs);
}

/**
 * Renews an operation's lease while `work` goes on, three times a lease. The signal aborts when the
 * lease is lost: its owner stops before its next request (OPS-31).
 */
export async function underLease<T>(
  deps: OperationDeps,
  run: OwnedRun,
  work: (lost: AbortSignal) => Promise<T>,
): Promise<T> {
  const lost = new AbortController();
  let keeping = false;
  const keep = async (): Promise<void> => {
    const held = await renew(deps, run);
    if (held === null) lost.abort();
    else await pinSession(deps, run.scope, held);
  };
  const timer = setInterval(() => {
    // A store that is slow to answer is not asked twice.
    if (keeping) return;
    keeping = true;
    keep()
      .catch((cause: unknown) => deps.warn("A lease could not be renewed", cause))
      .finally(() => (keeping = false));
  }, deps.leaseMs / 3);
  timer.unref();
  try {
    return await work(lost.signal);
  } finally {
    if (lost.signal.aborted) {
      await noteAlive(deps, run).catch((cause: unknown) =>
        deps.warn("That a process is alive could not be noted", cause),
      );
    }
    clearInterval(timer);
  }
}
