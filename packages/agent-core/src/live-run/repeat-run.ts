import type { Json, JsonObject } from "@plasm/core";
import type { RunAnswer } from "../answer.ts";
import { fail } from "../errors/failure.ts";
import type { RunRecord } from "../records/run-record.ts";
import type { EndedRun } from "./end-of-run.ts";
import { firstSnapshot, readEnd, tell } from "./ended-run.ts";
import type { LiveDeps } from "./live-deps.ts";
import { recoverRun } from "./recover-runs.ts";
import { failedByItself } from "./safe-to-repeat.ts";
import type { RunPlace } from "./stored-effect-log.ts";

/** How long a repeated call waits for a run that another process is at: 25 s in all (OPS-15). */
const LOOKS = 100;
const LOOK_MS = 250;

/** Whether an effect, as an answer's data has it, did not happen for certain. */
function didNotHappen(effect: Json): boolean {
  const { status, error, http_status: http } = effect as JsonObject;
  if (status !== "skipped" && status !== "failed") return false;
  const code = (error as JsonObject | null)?.["code"];
  if (typeof code !== "string" || typeof http !== "number") return true;
  return !failedByItself(code, http);
}

/** Whether the whole program may be repeated: it came to its end, or changed nothing (ERR-020). */
function mayRepeat(end: EndedRun): boolean {
  if (end.kind === "answer") return true;
  const { effects } = end.problem.meta;
  return Array.isArray(effects) && effects.every((effect: Json) => didNotHappen(effect));
}

/** That this ran, and when; how to repeat it only where that is safe as a whole (OPS-3, ERR-020). */
function noteOf(deps: LiveDeps, run: RunRecord, end: EndedRun): string {
  const seconds = Math.max(0, Math.round((deps.store.now() - run.startedAt) / 1000));
  const snapshot = firstSnapshot(end);
  const where = snapshot === null ? "" : ` (${snapshot})`;
  const ran = `${run.ref} ran ${seconds} s ago${where}`;
  return mayRepeat(end) ? `${ran}; plan again to repeat it` : ran;
}

const busy = (run: RunRecord, leftMs: number) =>
  fail(
    "plasm-busy",
    `${run.ref} is still running in another process. Send the same call again: it repeats no effect.`,
    { retryAfter: Math.max(1, Math.ceil(leftMs / 1000)) },
  );

/** The end of a run that this process is not at; null if it is no longer kept. */
async function endElsewhere(
  deps: LiveDeps,
  place: RunPlace,
  signal: AbortSignal | undefined,
): Promise<EndedRun | null> {
  for (let look = 0; ; look += 1) {
    const found = await deps.store.get("run", place.scope, place.id);
    if (found === null) return null;
    const { value: run } = found;
    if (run.state === "ended") return readEnd(deps, run.answer);
    const left = run.leaseUntil - deps.store.now();
    if (left <= 0) {
      const end = await recoverRun(deps, place, found);
      if (end !== null) return end;
    }
    if (look === LOOKS || signal?.aborted === true) throw busy(run, left);
    await deps.ports.clock.sleep(LOOK_MS, signal);
  }
}

/**
 * A consumed ref sent again (OPS-3): no new effect; the run's own answer, errors included, once it
 * has one. A run whose process died is told as far as it came (OPS-32, PLAN-072).
 */
export async function repeatRun(
  deps: LiveDeps,
  place: RunPlace,
  ref: string,
  signal?: AbortSignal,
): Promise<RunAnswer> {
  const going = deps.running.get(place.id);
  const end = going === undefined ? await endElsewhere(deps, place, signal) : await going;
  const found = await deps.store.get("run", place.scope, place.id);
  if (found === null || end === null) {
    throw fail("plasm-commit-used", `${ref} has run; its answer is no longer kept. Plan again.`);
  }
  return tell(end, noteOf(deps, found.value, end));
}
