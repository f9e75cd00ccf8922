import { fail, Failure } from "../errors/problem.ts";
import { named } from "../errors/arguments.ts";
import { type Caller, mayActFor, principalOf } from "../identity/caller.ts";
import { isProven } from "../identity/tenant-scope.ts";
import type { StoreOps } from "../store-port.ts";
import type { TraceEvent, TraceHead } from "../records/traces.ts";
import type { DelegationOf } from "../session/delegation.ts";
import { headId, portionAt, portionId } from "./append-batch.ts";
import type { TraceHub } from "./trace-hub.ts";
import { detailOf, summaryOf, type TraceDetail, type TraceSummary } from "./trace-view.ts";

/** Traces that are listed, the newest; older ones are counted. */
const MOST_TRACES = 100;

/** Traces without their events, the newest first. */
export type TraceList = {
  readonly traces: readonly TraceSummary[];
  /** how many older ones there are */
  readonly omitted: number;
};

/** What reading traces needs. */
export interface TraceReading {
  readonly store: StoreOps;
  readonly delegation: DelegationOf;
  /** what this process has noted, which a reader finds however young it is */
  readonly trace: Pick<TraceHub, "settled">;
  readonly warn: (what: string, cause: unknown) => void;
}

/** What a caller may read of a scope, given the logical sessions whose intent it has said. */
type IsReadable = (head: TraceHead) => boolean;

/**
 * Whose a trace is (SESS-38): where calls are delegated, the caller's own, or a user's it may act for; else of those who
 * have opened its session. Traces of other users are for operators.
 */
function readableBy(
  { delegation }: TraceReading,
  caller: Caller,
  holds: (logicalId: string) => boolean,
): IsReadable {
  if (caller.oversees === true) return () => true;
  const { delegated, principal: user } = delegation(caller);
  const principal = principalOf(caller);
  return ({ subject, kind, owner, opener }) => {
    if (delegated && subject !== null) return subject === user || mayActFor(caller, subject);
    if (subject !== user) return false;
    if (kind === "logical") return holds(owner);
    // An earlier program did not note who opened it: where nobody proves who they are, it is everybody's.
    return opener === undefined ? !isProven(caller.scope) : opener === principal;
  };
}

/** The same for one trace. */
async function isReadable(from: TraceReading, caller: Caller, head: TraceHead): Promise<boolean> {
  const held = await from.store.heldSlot(principalOf(caller), head.owner);
  return readableBy(from, caller, () => held !== null)(head);
}

/** A trace that cannot be read is no empty one: whatever goes wrong is a 503 (SURF-29). */
async function reading<T>({ warn }: TraceReading, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (thrown) {
    if (thrown instanceof Failure) throw thrown;
    warn("Traces could not be read", thrown);
    throw fail("plasm-store-unavailable", "Traces cannot be read now. Try again.");
  }
}

/**
 * The events after a number that a head knows of, in order. A writer may have dropped some of them since: then
 * those before the gap are left out.
 */
export async function eventsAfter(
  store: StoreOps,
  { scope, owner, first, last }: TraceHead,
  after: number,
): Promise<readonly TraceEvent[]> {
  const from = Math.max(first, after + 1);
  const all: TraceEvent[] = [];
  for (let portion = portionAt(from); portion <= portionAt(last); portion += 1) {
    const found = await store.get("traceEvents", scope, portionId(owner, portion));
    if (found === null) all.length = 0;
    else all.push(...found.value.events.filter(({ n }) => n >= from && n <= last));
  }
  return all;
}

/** What is written of a trace that this caller may read. Foreign and unknown alike: throws plasm-unknown-trace. */
export const findTrace = (from: TraceReading, caller: Caller, id: string): Promise<TraceHead> =>
  reading(from, async () => {
    const found = await from.store.get("trace", caller.scope, headId(id));
    if (found !== null && (await isReadable(from, caller, found.value))) return found.value;
    throw fail("plasm-unknown-trace", `No trace ${named(id)}. GET /v1/traces lists them.`);
  });

/** A head with its events, of one moment: what was dropped in between is of neither. */
export async function wholeTrace(from: TraceReading, head: TraceHead): Promise<TraceDetail> {
  return reading(from, async () => {
    const events = await eventsAfter(from.store, head, 0);
    const first = events[0]?.n ?? head.last + 1;
    return detailOf({ ...head, first }, events);
  });
}

/** `GET /v1/traces/{id}` */
export const readTrace = async (
  from: TraceReading,
  caller: Caller,
  id: string,
): Promise<TraceDetail> => {
  await from.trace.settled();
  return wholeTrace(from, await findTrace(from, caller, id));
};

/** `GET /v1/traces`: those that the caller may read, the newest first. Nobody in particular has none (SESS-8). */
export const listTraces = (from: TraceReading, caller: Caller): Promise<TraceList> =>
  reading(from, async () => {
    if (caller.anonymous === true) return { traces: [], omitted: 0 };
    await from.trace.settled();
    const held = new Set(
      (await from.store.slots(principalOf(caller))).map(({ logicalId }) => logicalId),
    );
    const heads = (await from.store.list("trace", caller.scope, ""))
      .map(({ value }) => value)
      .filter(readableBy(from, caller, (id) => held.has(id)))
      .toSorted((a, b) => b.updatedAt - a.updatedAt);
    const newest = heads.slice(0, MOST_TRACES);
    return { traces: newest.map(summaryOf), omitted: heads.length - newest.length };
  });
