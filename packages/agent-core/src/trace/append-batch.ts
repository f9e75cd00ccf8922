import type { Store, StoreOps } from "../store-port.ts";
import type { TimedFact, TraceEvent, TraceHead, TraceKey, TraceTotals } from "../records/traces.ts";
import { addTotals, NOTHING } from "./trace-view.ts";

/** Events that stand in one record. */
const PORTION_EVENTS = 50;

/** Writers that were quicker, one after the other, before it is given up for now. */
const ATTEMPTS = 50;

export const headId = (owner: string): string => `${owner}/trace`;

/** The prefix of a trace's portions. */
export const portionsOf = (owner: string): string => `${owner}/events/`;

export const portionId = (owner: string, portion: number): string =>
  `${portionsOf(owner)}${String(portion).padStart(10, "0")}`;

/** Which portion an event stands in. */
export const portionAt = (n: number): number => Math.floor((n - 1) / PORTION_EVENTS);

/** Another process has written meanwhile. */
class Overtaken extends Error {}

const newHead = (place: TraceKey, at: number): TraceHead => ({
  ...place,
  last: 0,
  first: 1,
  totals: NOTHING,
  startedAt: at,
  updatedAt: at,
});

function demand(written: boolean): void {
  if (!written) throw new Overtaken("The trace was written by another process");
}

async function writePortion(
  tx: StoreOps,
  { scope, owner }: TraceKey,
  portion: number,
  events: readonly TraceEvent[],
): Promise<void> {
  const id = portionId(owner, portion);
  const found = await tx.get("traceEvents", scope, id);
  demand(
    found === null
      ? await tx.insert("traceEvents", scope, id, { events })
      : await tx.cas("traceEvents", scope, id, found.version, {
          events: [...found.value.events, ...events],
        }),
  );
}

async function append(tx: StoreOps, place: TraceKey, batch: TraceBatch): Promise<void> {
  const { scope, owner } = place;
  const now = tx.now();
  const found = await tx.get("trace", scope, headId(owner));
  const before = found?.value ?? newHead(place, batch.facts[0]?.at ?? now);
  const from = before.last + batch.skipped + 1;
  const last = from + batch.facts.length - 1;
  // Where some have only a number, none before them is kept: what is kept has no gap.
  const whole = batch.skipped > 0 ? from : before.first;
  const first = Math.max(whole, last - KEPT_EVENTS + 1);
  const totals = addTotals(before.totals, batch.totals);
  const next = { ...before, last, first, totals, updatedAt: now };
  demand(
    found === null
      ? await tx.insert("trace", scope, headId(owner), next)
      : await tx.cas("trace", scope, headId(owner), found.version, next),
  );
  const events = batch.facts.map((fact, index): TraceEvent => ({ ...fact, n: from + index }));
  for (let portion = portionAt(from); portion <= portionAt(last); portion += 1) {
    const own = events.filter(({ n }) => portionAt(n) === portion);
    await writePortion(tx, place, portion, own);
  }
  const gone = Math.min(portionAt(first), portionAt(before.last) + 1);
  for (let portion = portionAt(before.first); portion < gone; portion += 1) {
    await tx.delete("traceEvents", scope, portionId(owner, portion));
  }
}

/**
 * Writes facts at the end of a trace, in one transaction. The store gives the numbers, so that those of
 * several processes have neither gaps nor doubles (SURF-29, P12).
 */
export async function appendBatch(store: Store, place: TraceKey, batch: TraceBatch): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await store.transaction((tx) => append(tx, place, batch));
    } catch (thrown) {
      if (!(thrown instanceof Overtaken) || attempt === ATTEMPTS) throw thrown;
    }
  }
}

/** Events of a trace that are kept, the newest; of older ones the totals stay (SURF-29). */
export const KEPT_EVENTS = 1_000;

/** Facts that are not written yet; of more than are kept the oldest are numbered and counted alone. */
export interface TraceBatch {
  readonly facts: readonly TimedFact[];
  /** facts before these that only have a number */
  readonly skipped: number;
  readonly totals: TraceTotals;
}

export const EMPTY_BATCH: TraceBatch = Object.freeze({ facts: [], skipped: 0, totals: NOTHING });

function within(batch: TraceBatch): TraceBatch {
  const over = batch.facts.length - KEPT_EVENTS;
  if (over <= 0) return batch;
  return { ...batch, facts: batch.facts.slice(over), skipped: batch.skipped + over };
}

/** Two batches of one trace, the earlier one first. */
export const joined = (a: TraceBatch, b: TraceBatch): TraceBatch => {
  const skips = b.skipped > 0;
  return within({
    // What b lost came after all of a.
    facts: skips ? b.facts : [...a.facts, ...b.facts],
    skipped: skips ? a.skipped + a.facts.length + b.skipped : a.skipped,
    totals: addTotals(a.totals, b.totals),
  });
};
