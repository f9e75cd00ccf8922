import type { OperationRecord, PollRecord } from "../../records/operations.ts";
import type { AcceptedOutcome, OperationOutcome } from "../../outcome.ts";
import { operationHandle } from "../../artifacts/handles.ts";
import type { OperationKey } from "../../ports.ts";
import type { StoreOps } from "../../store-port.ts";
import type { OperationDeps } from "../deps.ts";
import { lineOf, statusMeta, type OperationStatus, statusOf } from "./status.ts";

/** Where an operation stands: what this process knows of it, else what was told last. */
export const stepOf = (
  deps: OperationDeps,
  place: OperationKey,
  record: OperationRecord,
): OperationRecord["step"] => deps.running.get(place.id)?.step() ?? record.step;

/** An operation as its handle's reader sees it. */
export const handleOf = (ref: string | null, { n }: OperationRecord): string =>
  operationHandle(ref, n ?? 0);

/** The line of an operation with its meta (OPS-18, OPS-21). */
const lineAnswer = (handle: string, told: OperationStatus): OperationOutcome => ({
  kind: "operation",
  text: lineOf(handle, told),
  meta: { dry_run: false, op: statusMeta(told) },
  results: [],
});

/** Tells how an operation stands to one who asks for it, and notes that (OPS-18, OPS-19). */
export async function tellOperation(
  deps: OperationDeps,
  place: OperationKey,
  record: OperationRecord,
  ref: string | null,
): Promise<OperationOutcome> {
  const step = stepOf(deps, place, record);
  const last = await lastPoll(deps.store, place);
  const told = statusOf(record, step, last.told);
  const poll = { event: record.event, step: { k: step.k, rows: step.rows } };
  await notePoll(deps.store, place, last, poll);
  return lineAnswer(handleOf(ref, record), told);
}

/** What an acceptance tells: the first event, of which nothing has been read. */
const ACCEPTED: PollRecord = { event: 1, step: { k: 0, rows: 0 } };

/** What those who ask for an operation were told last (OPS-19), with the record of it if there is one. */
interface LastPoll {
  readonly told: PollRecord;
  readonly version: number | null;
}

async function lastPoll(store: StoreOps, place: OperationKey): Promise<LastPoll> {
  const found = await store.get("poll", place.scope, place.id);
  return { told: found?.value ?? ACCEPTED, version: found?.version ?? null };
}

/** Notes what was told; of two who ask at once, either may have been the last. */
async function notePoll(
  store: StoreOps,
  { scope, id }: OperationKey,
  { version }: LastPoll,
  poll: PollRecord,
): Promise<void> {
  if (version === null) await store.insert("poll", scope, id, poll);
  else await store.cas("poll", scope, id, version, poll);
}

/** What an acceptance tells of: the first event, whatever has happened since. */
const accepted = (record: OperationRecord): OperationStatus => ({
  signal: "+",
  event: 1,
  record,
  step: record.step,
  moved: false,
});

/** The answer that hands out an operation's handle (OPS-13). */
export function acceptAnswer(
  ref: string | null,
  record: OperationRecord,
  told: OperationStatus = accepted(record),
): AcceptedOutcome {
  const handle = handleOf(ref, record);
  const meta = {
    plan_commit_ref: record.ref,
    dry_verdict: record.verdict,
    op: statusMeta(told),
  };
  const text = `wait(${handle}) · verdict ${record.verdict} · plan \`${record.ref}\``;
  return { kind: "accepted", text, meta, results: [], accepted: handle };
}
