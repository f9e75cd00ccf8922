import { randomUUID } from "node:crypto";
import type { Stored } from "../ports.ts";
import type { RunRecord } from "../records/run-record.ts";
import { abandonedRun } from "./abandoned-run.ts";
import type { EndedRun } from "./end-of-run.ts";
import { keepEnd } from "./ended-run.ts";
import type { LiveDeps } from "./live-deps.ts";
import { readEffects, readExpected, type RunPlace } from "./stored-effect-log.ts";
import { unfinishedRuns } from "./unfinished-runs.ts";

/**
 * Ends a run whose lease has lapsed: claims it, so that its old owner sends nothing more, and keeps
 * what its effect log tells of it (OPS-31, OPS-32). Null where another process was faster.
 */
export async function recoverRun(
  deps: LiveDeps,
  place: RunPlace,
  found: Stored<RunRecord>,
): Promise<EndedRun | null> {
  const { store } = deps;
  const owned = { ...place, owner: randomUUID() };
  const leaseUntil = store.now() + deps.leaseMs;
  const claimed = { ...found.value, owner: owned.owner, leaseUntil };
  if (!(await store.cas("run", place.scope, place.id, found.version, claimed))) return null;
  const log = await readEffects(store, place);
  const told = abandonedRun(found.value, log, await readExpected(store, place));
  return keepEnd(deps, owned, { kind: "problem", problem: told });
}

/** Ends every run whose process died and whose lease has lapsed, whoever's it is. */
async function recoverRuns(deps: LiveDeps): Promise<void> {
  for (const { place, found } of await unfinishedRuns(deps.store)) {
    const lapsed = found.value.leaseUntil <= deps.store.now();
    if (lapsed && !deps.running.has(place.id)) await recoverRun(deps, place, found);
  }
}

/** A watch over runs that have lost their process. */
export interface Recovery {
  /** Looks no more; resolves when a look under way has ended. */
  stop(): Promise<void>;
}

/** Looks for abandoned runs at once, and then three times a lease (OPS-31, OPS-32). */
export function watchRuns(deps: LiveDeps): Recovery {
  let stopped = false;
  let looking: Promise<void> | null = null;
  const look = (): void => {
    looking ??= recoverRuns(deps)
      .catch((cause: unknown) => {
        if (!stopped) deps.warn("Abandoned runs could not be looked for", cause);
      })
      .finally(() => (looking = null));
  };
  look();
  const timer = setInterval(look, deps.leaseMs / 3);
  timer.unref();
  return {
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await looking;
    },
  };
}
