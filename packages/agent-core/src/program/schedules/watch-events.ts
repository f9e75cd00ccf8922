import { named } from "../../errors/arguments.ts";
import { fail } from "../../errors/problem.ts";
import { changesOf } from "../../local-queue.ts";
import type { WatchEventRecord } from "../../records/schedules.ts";
import type { StoreOps } from "../../store-port.ts";
import type { OperationDeps } from "../deps.ts";
import { eventView, type WatchEvents, type WatchEventView } from "./schedule-views.ts";
import { eventKey, eventNumber, watchPlace } from "./watch.ts";

/** An event as a stream sends it. */
export interface SentWatchEvent {
  readonly event: string;
  readonly id: string;
  readonly line: string;
  /** that found it: the events of one are written at once */
  readonly reading: number;
}

/** Events of an answer. */
const MOST_EVENTS = 500;
/** Events that are read by who names none. */
const MOST_NEWEST = 100;
const LAST_NUMBER = 999_999_999_999;
/** How often a stream looks for what other processes have found, in ms. */
const LOOK_MS = 2_000;

/** The number of the event that a reader has. */
function numberOf(after: string | null): number {
  const number = after === null ? 0 : eventNumber(after);
  if (number !== null) return number;
  throw fail(
    "plasm-bad-request",
    `after is ${named(after ?? "")}, and must be the id of an event.`,
  );
}

/** Those of a watch after a number, as many as an answer has. */
async function eventsAfter(
  store: StoreOps,
  scope: string,
  watch: string,
  after: number,
): Promise<readonly WatchEventRecord[]> {
  const from = eventKey(watch, after + 1);
  const range = { from, to: eventKey(watch, LAST_NUMBER), limit: MOST_EVENTS };
  return (await store.range("watchEvent", scope, range)).map(({ value }) => value);
}

const lastNumber = async (store: StoreOps, scope: string, watch: string): Promise<number> =>
  (await store.get("watched", scope, watch))?.value.seq ?? 0;

/** The newest that a watch has found (WATCH-06). */
export async function newestEvents(
  { store }: OperationDeps,
  scope: string,
  watch: string,
): Promise<readonly WatchEventView[]> {
  const last = await lastNumber(store, scope, watch);
  const all = await eventsAfter(store, scope, watch, Math.max(0, last - MOST_NEWEST));
  return all.map(eventView);
}

/** What a watch has found after the event of an id (WATCH-04). Throws plasm-bad-request for what is no such id. */
export async function eventsSince(
  { store }: OperationDeps,
  scope: string,
  watch: string,
  given: string | null,
): Promise<WatchEvents> {
  const after = numberOf(given);
  const all = await eventsAfter(store, scope, watch, after);
  const last = await lastNumber(store, scope, watch);
  const first = all[0]?.seq ?? last + 1;
  return {
    events: all.map(eventView),
    forgotten: Math.max(0, first - after - 1),
    next: all.at(-1)?.id ?? given,
  };
}

/** The same, and what it finds from then on, until `signal` aborts or the watch is removed. */
export function followEvents(
  deps: OperationDeps,
  scope: string,
  watch: string,
  { after, signal }: { readonly after: string | null; readonly signal: AbortSignal },
): AsyncIterable<SentWatchEvent> {
  let told = numberOf(after);
  async function* sent(): AsyncGenerator<SentWatchEvent> {
    const over = AbortSignal.any([signal, deps.stopping]);
    const changed = changesOf(deps.queue, watchPlace(scope, watch), over, LOOK_MS);
    try {
      while (!over.aborted) {
        for (const one of await eventsAfter(deps.store, scope, watch, told)) {
          told = one.seq;
          const line = JSON.stringify(eventView(one));
          yield { event: one.kind, id: one.id, line, reading: one.reading };
        }
        if ((await deps.store.get("schedule", scope, watch)) === null) return;
        await changed.next();
      }
    } finally {
      changed.stop();
    }
  }
  return sent();
}
