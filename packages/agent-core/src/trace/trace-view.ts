import type { JsonObject } from "@plasm/core";
import type { TraceEvent, TraceFact, TraceHead, TraceTotals } from "../records/traces.ts";
import { isoTime } from "../answer/times.ts";

const eventView = ({ n, at, ...fact }: TraceEvent): JsonObject => ({ n, at: isoTime(at), ...fact });

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
  started_at: isoTime(head.startedAt),
  updated_at: isoTime(head.updatedAt),
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

export const NOTHING: TraceTotals = Object.freeze({
  calls: 0,
  failed_calls: 0,
  nodes: 0,
  failed_nodes: 0,
  requests: 0,
  failed_requests: 0,
  operations: 0,
  grafts: 0,
  rows: 0,
});

/** The first status of HTTP that is a failure. */
const FAILED_STATUS = 400;

function totalsOf(fact: TraceFact): Partial<TraceTotals> {
  switch (fact.type) {
    case "call":
      return { calls: 1, failed_calls: fact.outcome === "ok" ? 0 : 1, rows: fact.rows };
    case "node":
      return { nodes: 1, failed_nodes: fact.status === "failed" ? 1 : 0 };
    case "request": {
      const failed = fact.status === null || fact.status >= FAILED_STATUS;
      return { requests: 1, failed_requests: failed ? 1 : 0 };
    }
    case "operation":
      return { operations: 1, rows: fact.rows };
    case "graft":
      return { grafts: 1 };
  }
}

export const addTotals = (a: TraceTotals, b: Partial<TraceTotals>): TraceTotals => ({
  calls: a.calls + (b.calls ?? 0),
  failed_calls: a.failed_calls + (b.failed_calls ?? 0),
  nodes: a.nodes + (b.nodes ?? 0),
  failed_nodes: a.failed_nodes + (b.failed_nodes ?? 0),
  requests: a.requests + (b.requests ?? 0),
  failed_requests: a.failed_requests + (b.failed_requests ?? 0),
  operations: a.operations + (b.operations ?? 0),
  grafts: a.grafts + (b.grafts ?? 0),
  rows: a.rows + (b.rows ?? 0),
});

/** Totals with one more fact. */
export const countFact = (totals: TraceTotals, fact: TraceFact): TraceTotals =>
  addTotals(totals, totalsOf(fact));
