import type { Json, JsonObject, Plan } from "@plasm/core";
import type { RunAnswer } from "../answer.ts";
import { fail } from "../errors/failure.ts";
import type { Stored } from "../ports.ts";
import type { RunRecord } from "../records/run-record.ts";
import { abandonedRun } from "./abandoned-run.ts";
import type { EndedRun } from "./end-of-run.ts";
import { keepEnd, readEnd, tell } from "./ended-run.ts";
import type { LiveDeps } from "./live-deps.ts";
import { readEffects, type RunPlace } from "./stored-effect-log.ts";

/** `(r/3)`: the first snapshot of the run that is told again. */
function snapshotOf(end: EndedRun): string {
  const meta: JsonObject = end.kind === "answer" ? end.answer.meta : end.problem.meta;
  const steps = meta["steps"];
  const first: Json | undefined = Array.isArray(steps) ? (steps as readonly Json[])[0] : undefined;
  const n = (first as JsonObject | undefined)?.["n"];
  return typeof n === "number" ? ` (r/${n})` : "";
}

function noteOf(deps: LiveDeps, run: RunRecord, end: EndedRun): string {
  const seconds = Math.max(0, Math.round((deps.store.now() - run.startedAt) / 1000));
  return `${run.ref} ran ${seconds} s ago${snapshotOf(end)}; plan again to repeat it`;
}

async function endOf(
  deps: LiveDeps,
  place: RunPlace,
  found: Stored<RunRecord>,
  plan: Plan,
): Promise<EndedRun | null> {
  const run = found.value;
  if (run.state === "ended") return readEnd(deps, run.answer);
  if (run.leaseUntil > deps.store.now()) {
    const seconds = Math.ceil((run.leaseUntil - deps.store.now()) / 1000);
    throw fail("plasm-busy", `${run.ref} is running in another process. Send the call again.`, {
      retryAfter: seconds,
    });
  }
  const problem = abandonedRun(plan, await readEffects(deps.store, place));
  await keepEnd(deps, place, { kind: "problem", problem });
  return { kind: "problem", problem };
}

/**
 * A consumed ref sent again (OPS-3): no new effect; the run's own answer, errors included, or the
 * same wait while it goes on. A run whose process died is told as far as it came (PLAN-072).
 */
export async function repeatRun(
  deps: LiveDeps,
  place: RunPlace,
  ref: string,
  plan: Plan,
): Promise<RunAnswer> {
  const going = deps.running.get(place.id);
  const first = going === undefined ? null : await going;
  const found = await deps.store.get("run", place.scope, place.id);
  const end = first ?? (found === null ? null : await endOf(deps, place, found, plan));
  if (found === null || end === null) {
    throw fail("plasm-commit-used", `${ref} has run; its answer is no longer kept. Plan again.`);
  }
  return tell(end, noteOf(deps, found.value, end));
}
