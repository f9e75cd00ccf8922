import { Failure } from "../errors/problem.ts";
import type { Caller } from "../identity/caller.ts";
import { changesOf } from "../local-queue.ts";
import type { OperationQueue } from "../ports.ts";
import { newsOfTrace, type TraceHead } from "../records/traces.ts";
import { eventsAfter, findTrace, type TraceReading, wholeTrace } from "./read-trace.ts";
import { patchOf, type TraceDetail } from "./trace-view.ts";

/** One message of a trace's stream (SURF-29). */
export interface TraceMessage {
  readonly event: "snapshot" | "patch";
  /** number of the last event that it knows of */
  readonly id: number;
  /** a TraceDetail, or a TracePatch to it, as JSON */
  readonly line: string;
}

/** News may be lost: so often a stream looks without any, in ms. */
const LOOK_MS = 5_000;

const snapshotOf = (detail: TraceDetail): TraceMessage => ({
  event: "snapshot",
  id: detail.seq,
  line: JSON.stringify(detail),
});

/** Null for a trace that is kept no longer. */
async function stillThere(
  from: TraceReading,
  caller: Caller,
  id: string,
): Promise<TraceHead | null> {
  try {
    return await findTrace(from, caller, id);
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.problem.code === "plasm-unknown-trace") return null;
    throw thrown;
  }
}

/**
 * Follows a trace until its reader goes or it is kept no longer: first all of it, then what makes that the
 * trace of now (P12). Throws plasm-unknown-trace before the first message.
 */
export async function watchTrace(
  from: TraceReading & { readonly queue: OperationQueue },
  caller: Caller,
  id: string,
  signal: AbortSignal,
): Promise<AsyncIterable<TraceMessage>> {
  await from.trace.settled();
  const first = await findTrace(from, caller, id);
  async function* follow(): AsyncGenerator<TraceMessage> {
    const changed = changesOf(from.queue, newsOfTrace(first), signal, LOOK_MS);
    try {
      const detail = await wholeTrace(from, await findTrace(from, caller, id));
      yield snapshotOf(detail);
      for (let told = detail.seq; !signal.aborted;) {
        await changed.next();
        if (signal.aborted) return;
        const head = await stillThere(from, caller, id);
        if (head === null) return;
        if (head.last === told) continue;
        if (head.last < told) {
          // Its time was over, and it has begun anew.
          yield snapshotOf(await wholeTrace(from, head));
          told = head.last;
          continue;
        }
        const events = await eventsAfter(from.store, head, told);
        const dropped = (events[0]?.n ?? head.last + 1) - 1;
        const own = dropped > told ? { ...head, first: dropped + 1 } : head;
        yield { event: "patch", id: head.last, line: JSON.stringify(patchOf(own, events)) };
        told = head.last;
      }
    } finally {
      changed.stop();
    }
  }
  return follow();
}
