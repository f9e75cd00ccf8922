import type { FinishedOutcome, OperationOutcome } from "../../outcome.ts";
import { findOperation, type HandleRef } from "../../artifacts/handles.ts";
import { fail } from "../../errors/problem.ts";
import type { RunArguments } from "../run/run-request.ts";
import type { OperationKey } from "../../ports.ts";
import type { Stored } from "../../store-port.ts";
import type { OperationRecord } from "../../records/operations.ts";
import { changeOperation, hasEnded } from "./find-operation.ts";
import { endWith, readEnd, snapshotsOf, tell } from "./operation-end.ts";
import { lineOf, statusMeta, statusOf } from "./status.ts";
import { handleOf, tellOperation } from "./report-status.ts";
import type { OperationDeps } from "../deps.ts";
import { replacementNote } from "./set-aside.ts";
import { isFree } from "./unfinished.ts";

/** How long a wait holds for the next event, and for the end, in ms (OPS-15). */
const NEXT_EVENT_MS = 2_000;
export const END_MS = 25_000;

const answerGone = (handle: string) =>
  fail("plasm-unknown-handle", `The answer of ${handle} is no longer kept.`);

/** How long a call with this `wait` holds (OPS-15). */
export function holdMs(wait: boolean | undefined): number {
  if (wait === undefined) return NEXT_EVENT_MS;
  return wait ? END_MS : 0;
}

/** The answer of an operation that has ended: that of the same run, with its terminal block (OPS-15). */
export async function tellEnd(
  deps: OperationDeps,
  record: OperationRecord,
  handle: string,
  ref: string | null,
): Promise<FinishedOutcome> {
  const end = await readEnd(deps, record.answer);
  if (end === null) throw answerGone(handle);
  const op = statusMeta(statusOf(record, record.step, null));
  return tell(endWith(end, op), replacementNote(ref, record));
}

/** What those who wait ask for. */
export interface WaitOptions {
  readonly wait: boolean | undefined;
  readonly signal?: AbortSignal;
  readonly onProgress?: RunArguments["onProgress"];
}

/**
 * `wait(h)` of an operation as it was found: while it runs, holds for its end as an acceptance does, then until its
 * next event, at most 2 s in all; once it has ended, answers or throws as its run did (OPS-15). Throws
 * plasm-unknown-handle if its answer is gone.
 */
export async function waitOperation(
  deps: OperationDeps,
  at: HandleRef,
  handle: string,
  { id, value: before }: Stored<OperationRecord>,
  { wait, signal, onProgress }: WaitOptions,
): Promise<FinishedOutcome | OperationOutcome> {
  const place: OperationKey = { scope: at.scope, id };
  const notEnough = (record: OperationRecord): boolean => {
    const told = statusOf(record, record.step, null);
    const { k, of } = record.step;
    onProgress?.({ k, of, line: lineOf(handleOf(at.ref, record), told) });
    return false;
  };
  const isNews = (record: OperationRecord): boolean =>
    notEnough(record) || (wait !== true && record.event > before.event);
  const ms = hasEnded(before.state) ? 0 : holdMs(wait);
  const forEnd = wait === undefined ? Math.min(ms, deps.answerHoldMs) : 0;
  if (forEnd > 0) await holdUntil(deps, place, notEnough, forEnd, signal);
  const found = await holdUntil(deps, place, isNews, ms - forEnd, signal);
  const record = found?.value ?? before;
  if (hasEnded(record.state)) return tellEnd(deps, record, handle, at.ref);
  return tellOperation(deps, place, record, at.ref);
}

/** Hands over an operation that nobody runs any more, so that it goes on at once (OPS-31). */
async function takeUpIfFree(
  deps: OperationDeps,
  place: OperationKey,
  record: OperationRecord,
): Promise<boolean> {
  if (deps.running.has(place.id) || !isFree(record, deps.store)) return false;
  await deps.queue.submit(place);
  return true;
}

/**
 * Waits until `enough` is true of an operation, it has ended, `ms` have passed, or the caller has gone;
 * gives how it stands then. Null if there is no such operation.
 */
export async function holdUntil(
  deps: OperationDeps,
  place: OperationKey,
  enough: (record: OperationRecord) => boolean,
  ms: number,
  signal?: AbortSignal,
): Promise<Stored<OperationRecord> | null> {
  const over = new AbortController();
  const gone = signal === undefined ? over.signal : AbortSignal.any([over.signal, signal]);
  let late = ms <= 0;
  let offered = false;
  let heard = false;
  let wake: () => void = () => undefined;
  const unlisten = deps.queue.listen(place, () => {
    heard = true;
    wake();
  });
  const timeUp = deps.ports.clock.sleep(ms, gone).then(() => {
    late = true;
  });
  try {
    for (;;) {
      heard = false;
      const found = await deps.store.get("operation", place.scope, place.id);
      if (found === null || hasEnded(found.value.state) || enough(found.value)) return found;
      if (late) return found;
      if (!offered) offered = await takeUpIfFree(deps, place, found.value);
      // What was announced since the look above is looked at again at once.
      const news = heard ? Promise.resolve() : new Promise<void>((resolve) => (wake = resolve));
      await Promise.race([timeUp, news]);
    }
  } finally {
    unlisten();
    over.abort();
  }
}

/** `partial NAME: URI`, a line for each result that a cancelled operation had rows of (OPS-16). */
async function partialLines(
  deps: OperationDeps,
  record: OperationRecord,
): Promise<readonly string[]> {
  const end = record.state === "cancelled" ? await readEnd(deps, record.answer) : null;
  if (end === null) return [];
  return snapshotsOf(end).flatMap(({ label, uri }) =>
    uri === null ? [] : [`partial ${label}: ${uri}`],
  );
}

/**
 * `cancel(h)`: sets the flag and answers the state reached, after at most 2 s; repeated, or after the
 * end, it reports that state (OPS-16). Throws plasm-unknown-handle.
 */
export async function cancelOperation(
  deps: OperationDeps,
  at: HandleRef,
  handle: string,
  signal?: AbortSignal,
): Promise<OperationOutcome> {
  const { id, value: before } = await findOperation(deps.store, at, handle);
  const place: OperationKey = { scope: at.scope, id };
  const flagged = await changeOperation(deps.store, place, (record) =>
    hasEnded(record.state) || record.cancelRequested ? null : { ...record, cancelRequested: true },
  );
  deps.queue.announce(place);
  const ended = hasEnded(flagged?.value.state ?? before.state);
  const found = await holdUntil(deps, place, () => false, ended ? 0 : NEXT_EVENT_MS, signal);
  const record = found?.value ?? before;
  const reached = await tellOperation(deps, place, record, at.ref);
  const lines = [reached.text, ...(await partialLines(deps, record))];
  return { ...reached, text: lines.join("\n") };
}
