import type { RunAnswer } from "../answer.ts";
import { findOperation, type HandlePlace } from "../artifacts/operation-handles.ts";
import type { OperationPlace } from "../ports.ts";
import type { OperationRecord } from "../records/operation-record.ts";
import { changeOperation, hasEnded } from "./change-operation.ts";
import { readEnd, snapshotsOf } from "./ended-run.ts";
import { holdUntil } from "./hold.ts";
import type { OperationDeps } from "./operation-deps.ts";
import { tellOperation } from "./tell-operation.ts";
import { NEXT_EVENT_MS } from "./wait-operation.ts";

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
  at: HandlePlace,
  handle: string,
  signal?: AbortSignal,
): Promise<RunAnswer> {
  const { id, value: before } = await findOperation(deps.store, at, handle);
  const place: OperationPlace = { scope: at.scope, id };
  const flagged = await changeOperation(deps.store, place, (record) =>
    hasEnded(record.state) || record.cancelRequested ? null : { ...record, cancelRequested: true },
  );
  deps.queue.announce(place);
  const ended = hasEnded(flagged?.value.state ?? before.state);
  const found = await holdUntil(deps, place, () => false, ended ? 0 : NEXT_EVENT_MS, signal);
  const record = found?.value ?? before;
  const { text, meta } = await tellOperation(deps, place, record, at.ref);
  const lines = [text, ...(await partialLines(deps, record))];
  return { text: lines.join("\n"), meta, results: [] };
}
