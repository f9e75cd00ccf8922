import type { StatusMeta } from "../../answer/meta.ts";
import { findOperation } from "../../artifacts/handles.ts";
import { refuseForbidden } from "../../artifacts/still-allowed.ts";
import type { Caller } from "../../identity/caller.ts";
import type { OperationKey } from "../../ports.ts";
import type { OperationRecord } from "../../records/operations.ts";
import type { SessionAddress } from "../../session/handles.ts";
import { handlePlace, hasEnded } from "./find-operation.ts";
import { changesOf } from "../../local-queue.ts";
import { lineOf, statusMeta, statusOf } from "./status.ts";
import { handleOf, stepOf } from "./report-status.ts";
import type { OperationDeps } from "../deps.ts";

/** One message of an operation's stream (OPS-22). */
export interface StreamEvent {
  readonly event: "snapshot" | "progress" | "terminal" | "moved";
  /** number of the operation's event */
  readonly id: number;
  readonly line: string;
}

/** How an operation stands, without waiting (SURF-16). */
export interface OperationView {
  readonly line: string;
  readonly op: StatusMeta;
}

interface Found {
  readonly place: OperationKey;
  readonly record: OperationRecord;
  readonly ref: string | null;
}

/** Finds an operation without renewing its session (SESS-11), as the policy of now has it (SURF-25). */
async function find(
  deps: OperationDeps,
  caller: Caller,
  address: SessionAddress,
  handle: string,
): Promise<Found> {
  const place = await handlePlace(deps, caller, address);
  const { id, value } = await findOperation(deps.store, place, handle);
  refuseForbidden(
    await deps.policies.policyOf(caller.scope),
    Object.keys(value.digests),
    value.uses,
  );
  return { place: { scope: caller.scope, id }, record: value, ref: place.ref };
}

const lineFor = (deps: OperationDeps, { place, ref }: Found, record: OperationRecord): string =>
  lineOf(handleOf(ref, record), statusOf(record, stepOf(deps, place, record), null));

/** `GET …/operations/{handle}`: the block of OPS-21 as it stands. Throws plasm-unknown-handle. */
export async function viewOperation(
  deps: OperationDeps,
  caller: Caller,
  address: SessionAddress,
  handle: string,
): Promise<OperationView> {
  const found = await find(deps, caller, address, handle);
  const { place, record } = found;
  const told = statusOf(record, stepOf(deps, place, record), null);
  return { line: lineFor(deps, found, record), op: statusMeta(told) };
}

/**
 * Follows an operation: first how it stands, unless `after` is the number of that event, then what
 * becomes of it, then its end (OPS-22), or that it goes on elsewhere where this process stops. A reader who is slow gets what is true when it asks again, and
 * always the end. Throws plasm-unknown-handle before the first message.
 */
export async function watchOperation(
  deps: OperationDeps,
  caller: Caller,
  address: SessionAddress,
  handle: string,
  { after, signal }: { readonly after: number | null; readonly signal: AbortSignal },
): Promise<AsyncIterable<StreamEvent>> {
  const found = await find(deps, caller, address, handle);
  const { place } = found;
  async function* follow(): AsyncGenerator<StreamEvent> {
    const { stopping } = deps;
    const over = AbortSignal.any([signal, stopping]);
    const changed = changesOf(deps.queue, place, over);
    try {
      let told: number | null = null;
      while (!signal.aborted || stopping.aborted) {
        const stored = await deps.store.get("operation", place.scope, place.id);
        if (stored === null) return;
        const record = stored.value;
        const { event: id } = record;
        const line = lineFor(deps, found, record);
        if (told === null) {
          if (after !== id) yield { event: "snapshot", id, line };
        } else if (id > told && !hasEnded(record.state)) yield { event: "progress", id, line };
        if (hasEnded(record.state)) {
          yield { event: "terminal", id, line };
          return;
        }
        told = id;
        if (stopping.aborted) {
          yield { event: "moved", id, line };
          return;
        }
        await changed.next();
      }
    } finally {
      changed.stop();
    }
  }
  return follow();
}
