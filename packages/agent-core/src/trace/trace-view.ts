import type { JsonObject } from "@plasm/core";
import type { TraceEvent, TraceHead } from "../records/trace-record.ts";

const timeOf = (ms: number): string => new Date(ms).toISOString();

const eventView = ({ n, at, ...fact }: TraceEvent): JsonObject => ({ n, at: timeOf(at), ...fact });

/** What a trace is, and what changes when it grows: without its events. */
export interface TraceSummary extends JsonObject {
  readonly trace_id: string;
  readonly kind: "logical" | "execute";
  readonly started_at: string;
  readonly updated_at: string;
  /** number of the last event */
  readonly seq: number;
  /** events that were dropped, the oldest */
  readonly dropped: number;
  readonly totals: JsonObject;
}

/** A trace in full. */
export interface TraceDetail extends TraceSummary {
  readonly events: readonly JsonObject[];
}

/** What turns a detail into a later one: new events, and what else is new (P12). */
export interface TracePatch extends JsonObject {
  readonly updated_at: string;
  readonly seq: number;
  readonly dropped: number;
  readonly totals: JsonObject;
  readonly events: readonly JsonObject[];
}

export const summaryOf = (head: TraceHead): TraceSummary => ({
  trace_id: head.owner,
  kind: head.kind,
  started_at: timeOf(head.startedAt),
  updated_at: timeOf(head.updatedAt),
  seq: head.last,
  dropped: head.first - 1,
  totals: { ...head.totals },
});

export const detailOf = (head: TraceHead, events: readonly TraceEvent[]): TraceDetail => ({
  ...summaryOf(head),
  events: events.map(eventView),
});

export function patchOf(head: TraceHead, events: readonly TraceEvent[]): TracePatch {
  const { updated_at, seq, dropped, totals } = summaryOf(head);
  return { updated_at, seq, dropped, totals, events: events.map(eventView) };
}

/** A detail after a patch: what a reader of the stream has is the trace as it is read anew (P12). */
export function applyTracePatch(detail: TraceDetail, patch: TracePatch): TraceDetail {
  const events = [...detail.events, ...patch.events];
  return {
    ...detail,
    ...patch,
    events: events.filter(({ n }) => typeof n === "number" && n > patch.dropped),
  };
}
