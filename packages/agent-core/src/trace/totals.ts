import type { TraceFact, TraceTotals } from "../records/trace-record.ts";

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
