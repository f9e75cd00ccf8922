import type { EffectMeta } from "../../answer/meta.ts";
import type { AcceptedOutcome, EndedRun, FinishedOutcome } from "../../outcome.ts";
import { fail } from "../../errors/problem.ts";
import { failedByItself } from "../run/failure-text.ts";
import type { OperationKey } from "../../ports.ts";
import type { OperationRecord } from "../../records/operations.ts";
import { statusOf } from "./status.ts";
import { acceptAnswer, stepOf } from "./report-status.ts";
import { numbered } from "./begin-operation.ts";
import { hasEnded } from "./find-operation.ts";
import { readEnd, snapshotsOf, tell, withNote } from "./operation-end.ts";
import { holdMs, holdUntil } from "./wait-operation.ts";
import type { OperationDeps } from "../deps.ts";
import { replacementNote } from "./set-aside.ts";

/** Whether an effect, as an answer's data has it, did not happen for certain. */
function didNotHappen({ status, error, http_status: http }: EffectMeta): boolean {
  if (status !== "skipped" && status !== "failed") return false;
  if (error === null || http === null) return true;
  return !failedByItself(error.code, http);
}

/** Whether the whole program may be repeated: it came to its end, or changed nothing (ERR-020). */
function mayRepeat(end: EndedRun): boolean {
  if (end.kind === "answer") return true;
  const { effects } = end.problem.meta;
  return effects !== undefined && effects.every(didNotHappen);
}

const secondsSince = (deps: OperationDeps, { startedAt }: OperationRecord): number =>
  Math.max(0, Math.round((deps.store.now() - startedAt) / 1000));

/** That this ran, and when; how to repeat it only where that is safe as a whole (OPS-3, ERR-020). */
function noteOf(
  deps: OperationDeps,
  run: OperationRecord,
  end: EndedRun,
  slot: string | null,
): string {
  const [snapshot] = snapshotsOf(end);
  const where = snapshot === undefined ? "" : ` (r/${snapshot.n})`;
  const ran = `${run.ref} ran ${secondsSince(deps, run)} s ago${where}`;
  const replaced = replacementNote(slot, run);
  if (replaced !== null) return `${ran}; ${replaced}`;
  return mayRepeat(end) ? `${ran}; plan again to repeat it` : ran;
}

/** A consumed ref, sent again. */
export interface Repeat {
  readonly ref: string;
  /** slot of the session, for a handle; null without one */
  readonly slot: string | null;
  readonly wait: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

const commitUsed = (ref: string) =>
  fail("plasm-commit-used", `${ref} has run; its answer is no longer kept. Plan again.`);

/** The handle of an operation that goes on; its number is taken now if it had none (OPS-39). */
async function goesOn(
  deps: OperationDeps,
  place: OperationKey,
  { ref, slot }: Repeat,
): Promise<AcceptedOutcome> {
  const found = await numbered(deps, place);
  if (found === null) throw commitUsed(ref);
  deps.queue.announce(place);
  const record = found.value;
  const told = statusOf(record, stepOf(deps, place, record), null);
  const note = `${ref} was started ${secondsSince(deps, record)} s ago and goes on`;
  return withNote(acceptAnswer(slot, record, told), note);
}

/** The end that this process comes to while the call holds, though the store might refuse it. */
async function endHere(deps: OperationDeps, place: OperationKey): Promise<EndedRun | null> {
  const end = await deps.running.get(place.id)?.end;
  return end ?? new Promise<never>(() => undefined);
}

/**
 * A consumed ref sent again (OPS-3): no new effect; the run's own answer, errors included, once it
 * has one, else its `wait(h)`. It holds for the end as `wait(h)` would for an event (OPS-15).
 */
export async function repeatRun(
  deps: OperationDeps,
  place: OperationKey,
  repeat: Repeat,
): Promise<AcceptedOutcome | FinishedOutcome> {
  const { ref, wait, signal } = repeat;
  const held = holdUntil(deps, place, () => false, holdMs(wait), signal);
  const here = await Promise.race([endHere(deps, place), held.then(() => null)]);
  const found = await deps.store.get("operation", place.scope, place.id);
  if (found === null) throw commitUsed(ref);
  const record = found.value;
  const end = here ?? (hasEnded(record.state) ? await readEnd(deps, record.answer) : null);
  if (end !== null) return tell(end, noteOf(deps, record, end, repeat.slot));
  if (hasEnded(record.state)) throw commitUsed(ref);
  return goesOn(deps, place, repeat);
}
