import type { RunAnswer } from "../answer.ts";
import { mintCommit } from "../commit/mint.ts";
import { placeOf } from "../commit/place.ts";
import { attemptRun, type EffectRun } from "./attempt-run.ts";
import type { EndedRun } from "./end-of-run.ts";
import { keepEnd, tell } from "./ended-run.ts";
import type { LiveDeps } from "./live-deps.ts";
import { plannedEffects } from "./planned-effects.ts";
import { repeatRun } from "./repeat-run.ts";
import { underLease } from "./run-lease.ts";
import { runPlaceOf, startRun } from "./start-run.ts";
import type { OwnedRun } from "./stored-effect-log.ts";

/** Runs to the end, whatever it is, and keeps that end before anybody is told (OPS-3, OPS-28). */
async function perform(deps: LiveDeps, effectRun: EffectRun, run: OwnedRun): Promise<EndedRun> {
  const end = await underLease(deps, run, (lost) => attemptRun(deps, effectRun, run, lost));
  return keepEnd(deps, run, end);
}

async function start(deps: LiveDeps, { caller, at, plan, minted }: EffectRun) {
  const effects = plannedEffects(plan, at.view.exposure.catalogs);
  return startRun(deps, placeOf(caller, at), minted, plan, effects);
}

/** Times that a forced run mints anew, each time because another run took the ref it had. */
const MOST_MINTS = 100;

/**
 * Starts the run under its ref. Where the ref was taken meanwhile, a run by `force` alone takes a
 * fresh one, for it runs whatever the ref (OPS-7); any other is the repetition of the run that took
 * it.
 */
async function startUnder(
  deps: LiveDeps,
  effectRun: EffectRun,
  fresh: boolean,
): Promise<{ readonly run: OwnedRun | null; readonly effectRun: EffectRun }> {
  let current = effectRun;
  for (let attempt = 0; ; attempt += 1) {
    const run = await start(deps, current);
    if (run !== null || !fresh || attempt === MOST_MINTS) return { run, effectRun: current };
    const { caller, at, plan } = current;
    const minted = await mintCommit(deps.store, placeOf(caller, at), plan);
    current = { ...current, minted };
  }
}

/**
 * Runs a plan that has effects: consumes its ref, writes each effect down before and after its
 * request, and keeps the answer (OPS-3, OPS-28, OPS-39). `fresh` says that another ref than the one
 * minted would do.
 */
export async function runWithEffects(
  deps: LiveDeps,
  given: EffectRun,
  fresh: boolean,
): Promise<RunAnswer> {
  // What the log is told must be found after a restart, or nothing may be sent (OPS-28).
  await deps.store.ping();
  const { run, effectRun } = await startUnder(deps, given, fresh);
  const { caller, at, minted, request } = effectRun;
  if (run === null) {
    return repeatRun(deps, runPlaceOf(placeOf(caller, at), minted.ref), minted.ref, request.signal);
  }
  const work = perform(deps, effectRun, run);
  deps.running.set(run.id, work);
  try {
    return tell(await work, null);
  } finally {
    deps.running.delete(run.id);
  }
}
