/** What a call was named by its surface, MCP and HTTP alike (SURF-28). */
export type TracedCall = "plasm_context" | "plasm" | "plasm_run" | "grafted_context_fetch";

/** Whose trace it is: of a logical session, else of an execute session (SURF-29). */
export interface TraceKey {
  readonly scope: string;
  /** id of that session */
  readonly owner: string;
  readonly kind: "logical" | "execute";
  /** the principal whose session it is where calls are delegated (SESS-38) */
  readonly subject: string | null;
  /** the principal whose execute session it is; absent for logical sessions, and in records of an earlier program */
  readonly opener?: string;
}

/**
 * One thing that happened: names, numbers and templates, never a program, an argument, a row or a line of
 * an answer (SURF-27, OPS-24). `ms` is how long it took.
 */
export type TraceFact =
  | {
      readonly type: "call";
      readonly call: TracedCall;
      /** `ok`, or the code of the problem */
      readonly outcome: string;
      readonly ms: number;
      readonly plan_commit_ref: string | null;
      readonly commit: string | null;
      /** of its results */
      readonly rows: number;
      readonly effects: number;
      /** the handle under which it goes on, if it does */
      readonly accepted: string | null;
    }
  | {
      readonly type: "node";
      /** id of the run (PLAN-063) */
      readonly run: string;
      readonly node: string;
      readonly kind: string;
      readonly entry_id: string | null;
      readonly status: string;
      readonly rows: number;
      readonly ms: number;
    }
  | {
      readonly type: "request";
      readonly run: string;
      readonly node: string;
      readonly entry_id: string;
      readonly method: string;
      readonly origin: string;
      readonly path: string;
      readonly attempt: number;
      /** null when no response came */
      readonly status: number | null;
      readonly ms: number;
    }
  | {
      readonly type: "operation";
      readonly run: string;
      readonly plan_commit_ref: string;
      /** its number in its session, once somebody was told a handle */
      readonly operation: number | null;
      readonly state: string;
      /** of the first error */
      readonly code: string | null;
      readonly rows: number;
      readonly ms: number;
    }
  | {
      /** GRAFT-15 */
      readonly type: "graft";
      readonly graft_id: string;
      readonly bytes: number;
    };

/** A fact with its time by the store's clock, in ms. */
export type TimedFact = TraceFact & { readonly at: number };

/** A fact with its number in its trace, from 1 and without gaps. */
export type TraceEvent = TimedFact & { readonly n: number };

/** What a trace had of everything, also of events that were dropped (SURF-29). */
export interface TraceTotals {
  readonly calls: number;
  readonly failed_calls: number;
  readonly nodes: number;
  readonly failed_nodes: number;
  readonly requests: number;
  /** without a response, or with a status of 400 and above */
  readonly failed_requests: number;
  readonly operations: number;
  readonly grafts: number;
  /** of results of calls and of operations */
  readonly rows: number;
}

/** The head of a trace; its events stand in portions beside it. */
export interface TraceHead extends TraceKey {
  /** number of the last event */
  readonly last: number;
  /** number of the first event that is kept */
  readonly first: number;
  readonly totals: TraceTotals;
  readonly startedAt: number;
  readonly updatedAt: number;
}

/** A portion of the events of a trace, in order. */
export interface TracePortion {
  readonly events: readonly TraceEvent[];
}

const PREFIX = "trace/";

/** Under which name processes tell each other that a trace has grown: no operation has it. */
export const newsOfTrace = ({
  scope,
  owner,
}: {
  readonly scope: string;
  readonly owner: string;
}): { readonly scope: string; readonly id: string } => ({ scope, id: `${PREFIX}${owner}` });

/** Whether news are of a trace, and of no operation. */
export const isOfTrace = ({ id }: { readonly id: string }): boolean => id.startsWith(PREFIX);
