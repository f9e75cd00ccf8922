import type { LiveOutcome } from "../../outcome.ts";
import { mintCommit, placeOf } from "../plan/commits.ts";
import type { RunArguments } from "../run/run-request.ts";
import { acceptAnswer } from "./report-status.ts";
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
    if (begun !== null || !fresh || attempt === MOST_MINTS) return { begun, beginning };
    const { caller, at, plan } = beginning;
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

/** Accepts a plan: stores all that it takes to run it, hands it over, answers its handle (OPS-13). */
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
  return acceptAnswer(beginning.at.ref, record);
}
