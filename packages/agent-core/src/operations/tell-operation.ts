import type { Answer } from "../answer.ts";
import { operationHandle } from "../artifacts/operation-handles.ts";
import type { OperationPlace } from "../ports.ts";
import type { OperationRecord } from "../records/operation-record.ts";
import { lineOf, operationMeta, toldOf, type Told } from "./lines.ts";
import type { OperationDeps } from "./operation-deps.ts";
import { lastPoll, notePoll } from "./poll.ts";

/** Where an operation stands: what this process knows of it, else what was told last. */
export const stepOf = (
  deps: OperationDeps,
  place: OperationPlace,
  record: OperationRecord,
): OperationRecord["step"] => deps.running.get(place.id)?.step() ?? record.step;

/** An operation as its handle's reader sees it. */
export const handleOf = (ref: string | null, { n }: OperationRecord): string =>
  operationHandle(ref, n ?? 0);

/** The line of an operation with its meta (OPS-18, OPS-21). */
const lineAnswer = (handle: string, told: Told): Answer => ({
  text: lineOf(handle, told),
  meta: { dry_run: false, op: operationMeta(told) },
});

/** Tells how an operation stands to one who asks for it, and notes that (OPS-18, OPS-19). */
export async function tellOperation(
  deps: OperationDeps,
  place: OperationPlace,
  record: OperationRecord,
  ref: string | null,
): Promise<Answer> {
  const step = stepOf(deps, place, record);
  const last = await lastPoll(deps.store, place);
  const told = toldOf(record, step, last.told);
  const poll = { event: record.event, step: { k: step.k, rows: step.rows } };
  await notePoll(deps.store, place, last, poll);
  return lineAnswer(handleOf(ref, record), told);
}
