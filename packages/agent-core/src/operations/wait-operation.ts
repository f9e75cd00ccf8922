import type { RunAnswer } from "../answer.ts";
import type { HandlePlace } from "../artifacts/operation-handles.ts";
import { fail } from "../errors/failure.ts";
import type { RunArguments } from "../live-run/run-arguments.ts";
import type { OperationPlace, Stored } from "../ports.ts";
import type { OperationRecord } from "../records/operation-record.ts";
import { hasEnded } from "./change-operation.ts";
import { endWith, readEnd, tell } from "./ended-run.ts";
import { holdUntil } from "./hold.ts";
import { lineOf, operationMeta, toldOf } from "./lines.ts";
import type { OperationDeps } from "./operation-deps.ts";
import { replacementNote } from "./set-aside.ts";
import { handleOf, tellOperation } from "./tell-operation.ts";

/** How long a wait holds for the next event, and for the end, in ms (OPS-15). */
export const NEXT_EVENT_MS = 2_000;
export const END_MS = 25_000;

const answerGone = (handle: string) =>
  fail("plasm-unknown-handle", `The answer of ${handle} is no longer kept.`);

/** How long a call with this `wait` holds (OPS-15). */
export function holdMs(wait: boolean | undefined): number {
  if (wait === undefined) return NEXT_EVENT_MS;
  return wait ? END_MS : 0;
}

/** The answer of an operation that has ended: that of the same run, with its terminal block (OPS-15). */
async function tellEnd(
  deps: OperationDeps,
  record: OperationRecord,
  handle: string,
  ref: string | null,
): Promise<RunAnswer> {
  const end = await readEnd(deps, record.answer);
  if (end === null) throw answerGone(handle);
  const op = operationMeta(toldOf(record, record.step, null));
  return tell(endWith(end, { op }), replacementNote(ref, record));
}

/** What those who wait ask for. */
export interface WaitOptions {
  readonly wait: boolean | undefined;
  readonly signal?: AbortSignal;
  readonly onProgress?: RunArguments["onProgress"];
}

/**
 * `wait(h)` of an operation as it was found: while it runs, holds until its next event, at most 2 s; once
 * it has ended, answers or throws as its run did (OPS-15). Throws plasm-unknown-handle if its answer is gone.
 */
export async function waitOperation(
  deps: OperationDeps,
  at: HandlePlace,
  handle: string,
  { id, value: before }: Stored<OperationRecord>,
  { wait, signal, onProgress }: WaitOptions,
): Promise<RunAnswer> {
  const place: OperationPlace = { scope: at.scope, id };
  const enough = (record: OperationRecord): boolean => {
    const told = toldOf(record, record.step, null);
    const { k, of } = record.step;
    onProgress?.({ k, of, line: lineOf(handleOf(at.ref, record), told) });
    return wait !== true && record.event > before.event;
  };
  const ms = hasEnded(before.state) ? 0 : holdMs(wait);
  const found = await holdUntil(deps, place, enough, ms, signal);
  const record = found?.value ?? before;
  if (hasEnded(record.state)) return tellEnd(deps, record, handle, at.ref);
  return { ...(await tellOperation(deps, place, record, at.ref)), results: [] };
}
