import type { FinishedOutcome, LiveOutcome } from "../../outcome.ts";
import { mintCommit, placeOf } from "../plan/commits.ts";
import { stopCause } from "../run/failed-run.ts";
import type { RunArguments } from "../run/run-request.ts";
import { hasEnded } from "./find-operation.ts";
import { acceptAnswer, handleOf } from "./report-status.ts";
import { cancelOperation, holdUntil, tellEnd } from "./wait-operation.ts";
import { type Beginning, beginOperation, type Begun, operationOfRef } from "./begin-operation.ts";
import { executeOperation } from "./execute-operation.ts";
import { tell } from "./operation-end.ts";
import type { OperationDeps } from "../deps.ts";
import { repeatRun } from "./repeat-run.ts";

/** Times that a forced run mints anew, each time because another run took the ref it had. */
const MOST_MINTS = 100;

/**
 * Begins under the ref. Where that was taken meanwhile, a run by `force` alone takes a fresh one, for it
 * runs whatever the ref (OPS-7); any other is the repetition of the run that took it.
 */
async function beginUnder(
  deps: OperationDeps,
  given: Beginning,
  fresh: boolean,
): Promise<{ readonly begun: Begun | null; readonly beginning: Beginning }> {
  let beginning = given;
  for (let attempt = 0; ; attempt += 1) {
    const begun = await beginOperation(deps, beginning);
    const { caller, at, plan } = beginning;
    if (begun !== null) caller.onRun?.(begun.record.uuid);
    if (begun !== null || !fresh || attempt === MOST_MINTS) return { begun, beginning };
    beginning = { ...beginning, minted: await mintCommit(deps.store, placeOf(caller, at), plan) };
  }
}

function repeated(
  deps: OperationDeps,
  { caller, at, minted }: Beginning,
  { wait, signal }: StartOptions,
): Promise<LiveOutcome> {
  const place = operationOfRef(placeOf(caller, at), minted.ref);
  return repeatRun(deps, place, { ref: minted.ref, slot: at.ref, wait, signal });
}

/** What a run's caller asked for. */
export interface StartOptions {
  readonly wait: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: RunArguments["onProgress"];
  /** another ref than the one minted would do */
  readonly fresh: boolean;
}

/**
 * Runs a plan that has effects while its caller waits: consumes its ref, writes each effect down before
 * and after its request, and keeps the answer (OPS-3, OPS-28, OPS-39).
 */
export async function runWithEffects(
  deps: OperationDeps,
  given: Beginning,
  options: StartOptions,
): Promise<LiveOutcome> {
  // What the log is told must be found after a restart, or nothing may be sent (OPS-28).
  await deps.store.ping();
  const { begun, beginning } = await beginUnder(deps, given, options.fresh);
  if (begun === null) return repeated(deps, beginning, options);
  const { caller, at, plan, minted, complete, limits } = beginning;
  const { place, record } = begun;
  const { signal, onProgress } = options;
  const request = {
    complete,
    ...(signal === undefined ? {} : { signal }),
    ...(onProgress === undefined ? {} : { onProgress }),
  };
  const setting = { limits, started: record.run };
  const effectRun = { caller, at, plan, minted, request, setting, leaseMs: deps.leaseMs };
  const end = await executeOperation(deps, { run: place, record, effectRun });
  // Another process has taken it over: what it comes to is the end, and no other is told (OPS-12).
  return end === null ? repeated(deps, beginning, options) : tell(end, null);
}

/** How long an accepted run is awaited, in ms: who asks for rows has them where they are there at once (OPS-13). */
export const ANSWER_HOLD_MS = 1_500;

/**
 * Awaits the end of a run that was accepted, for a moment; null where it goes on. Its caller has no handle yet: who
 * cancels the call cancels the run, while a server that stops leaves it to others.
 */
async function awaitEnd(
  deps: OperationDeps,
  { at }: Beginning,
  { place, record }: Begun,
  { wait, signal }: StartOptions,
): Promise<FinishedOutcome | null> {
  if (wait !== undefined || deps.answerHoldMs === 0) return null;
  const found = await holdUntil(deps, place, () => false, deps.answerHoldMs, signal);
  const handle = handleOf(at.ref, record);
  if (found !== null && hasEnded(found.value.state)) {
    return tellEnd(deps, found.value, handle, at.ref);
  }
  if (signal?.aborted === true && stopCause(signal) === "caller") {
    await cancelOperation(deps, { ...at, scope: place.scope }, handle, signal);
  }
  return null;
}

/**
 * Accepts a plan: stores all that it takes to run it and hands it over; answers what it came to, where that is soon,
 * else its handle (OPS-13).
 */
export async function acceptRun(
  deps: OperationDeps,
  given: Beginning,
  options: StartOptions,
): Promise<LiveOutcome> {
  await deps.store.ping();
  const { begun, beginning } = await beginUnder(deps, given, options.fresh);
  if (begun === null) return repeated(deps, beginning, options);
  const { place, record } = begun;
  await deps.news
    .tell(place, record)
    .catch((cause: unknown) => deps.warn("An acceptance could not be told", cause));
  deps.queue.announce(place);
  await deps.queue.submit(place);
  const ended = await awaitEnd(deps, beginning, begun, options);
  return ended ?? acceptAnswer(beginning.at.ref, record);
}
