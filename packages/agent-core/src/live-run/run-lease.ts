import type { LiveDeps } from "./live-deps.ts";
import type { OwnedRun } from "./stored-effect-log.ts";

/** OPS-31: how long a run's owner may be silent before its run counts as abandoned, in ms. */
export const LEASE_MS = 30_000;

/** Says that the owner still runs it; false where the run is its own no more, or has lapsed. */
async function renew(deps: LiveDeps, run: OwnedRun): Promise<boolean> {
  const { store } = deps;
  const found = await store.get("run", run.scope, run.id);
  if (found === null) return false;
  const { state, owner, leaseUntil } = found.value;
  if (state === "ended") return true;
  if (owner !== run.owner || leaseUntil <= store.now()) return false;
  const next = { ...found.value, leaseUntil: store.now() + deps.leaseMs };
  return store.cas("run", run.scope, run.id, found.version, next);
}

/**
 * Renews a run's lease while `work` goes on, three times a lease. The signal aborts when the lease
 * is lost: its owner stops before its next request (OPS-31).
 */
export async function underLease<T>(
  deps: LiveDeps,
  run: OwnedRun,
  work: (lost: AbortSignal) => Promise<T>,
): Promise<T> {
  const lost = new AbortController();
  const timer = setInterval(() => {
    renew(deps, run).then(
      (held) => {
        if (!held) lost.abort();
      },
      (cause: unknown) => deps.warn("A lease could not be renewed", cause),
    );
  }, deps.leaseMs / 3);
  timer.unref();
  try {
    return await work(lost.signal);
  } finally {
    clearInterval(timer);
  }
}
