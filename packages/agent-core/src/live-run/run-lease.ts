import type { LiveDeps } from "./live-deps.ts";
import type { RunPlace } from "./stored-effect-log.ts";

/** OPS-31: how long a run's owner may be silent before its run counts as abandoned, in ms. */
export const LEASE_MS = 30_000;

/** Says that the owner still runs it; a record that has ended or changed hands is left alone. */
async function renew(deps: LiveDeps, place: RunPlace): Promise<void> {
  const found = await deps.store.get("run", place.scope, place.id);
  if (found === null || found.value.state !== "running") return;
  if (found.value.owner !== deps.processId) return;
  const next = { ...found.value, leaseUntil: deps.store.now() + deps.leaseMs };
  await deps.store.cas("run", place.scope, place.id, found.version, next);
}

/** Renews a run's lease while `work` goes on, three times a lease. */
export async function underLease<T>(
  deps: LiveDeps,
  place: RunPlace,
  work: () => Promise<T>,
): Promise<T> {
  const timer = setInterval(() => {
    renew(deps, place).catch((cause: unknown) => deps.warn("A lease could not be renewed", cause));
  }, deps.leaseMs / 3);
  timer.unref();
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
