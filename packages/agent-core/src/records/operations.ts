import type { BudgetName, JsonObject, Span } from "@plasm/core";
import type { EffectEntry, ExpectedEffect, KeptForUndo } from "@plasm/runtime";
import type { AccountNames, SessionKey } from "./sessions.ts";

/** Names an operation that was set aside, whoever's it is: what operators look through. */
export interface SetAsideOperation extends UnfinishedOperation {
  /** when, in ms by the store's clock */
  readonly at: number;
}

/**
 * An operation that has ended, as lists find it: by its state and when it began, and by its uuid (OPS-69). The operation itself may be gone
 * before.
 */
export interface EndedOperation {
  /** id of the operation's record */
  readonly operation: string;
  readonly principal: string;
  readonly startedAt: number;
  readonly uuid: string;
}

/** Names an operation that has not ended, whoever's it is: what recovery goes through (OPS-31). */
export interface UnfinishedOperation {
  readonly scope: string;
  /** id of the operation's record */
  readonly id: string;
}

/**
 * A call that was made as an MCP task (OPS-26): of the operation it became, or of an end that it had at
 * once. Its id begins with the principal whose it is. Times in ms by the store's clock.
 */
export interface TaskRecord {
  /** `taskId`: the operation's uuid, where there is one */
  readonly uuid: string;
  readonly principal: string;
  /** id of the operation; null where the call came to its end at once */
  readonly operation: string | null;
  /** SHA-256 of the stored end, where there is no operation */
  readonly answer: string | null;
  /** of that end: what is told of it */
  readonly ended: { readonly state: "completed" | "failed"; readonly message: string } | null;
  /** how long its maker may ask for it, in ms from its creation */
  readonly ttl: number;
  readonly createdAt: number;
}

/** What those who ask for an operation were told last (OPS-19). */
export interface PollRecord {
  readonly event: number;
  readonly step: Pick<OperationStep, "k" | "rows">;
}

/** How often effects of a session have begun or ended on a catalog: it rises with each (PLAN-083). */
export interface EffectMark {
  readonly count: number;
}

/** Rows of a node that had finished ahead of an effect (OPS-28); its id is the operation's and the node's. */
export interface OutputRecord {
  readonly node: string;
  /** SHA-256 of the stored rows, as the runtime reads them */
  readonly rows: string;
}

/** The items of one for_each of a run, from before its first effect; its id is the run's and the node's. */
export interface ExpectedRecord {
  readonly effects: readonly ExpectedEffect[];
}

/**
 * One entry of a run's effect log (PLAN-073, OPS-28); its id is the run's with the sequence number.
 * `rows` are those of an effect that is done, as the runtime reads them.
 */
export type EffectRecord = EffectEntry & {
  readonly rows?: JsonObject | null;
  /** what it takes to take it back; null where nothing does, absent in records of an earlier program (UNDO-03) */
  readonly kept?: KeptForUndo | null;
  /** the plan that takes it back, or has (UNDO-07) */
  readonly undone?: { readonly ref: string; readonly status: "started" | "done" | "in_doubt" };
};

/** An effect that a plan has, as it is named after the process that ran it died (PLAN-072). */
export interface RunEffect extends Pick<
  EffectEntry,
  "node" | "entryId" | "entity" | "capability" | "label" | "target"
> {
  readonly kind: "create" | "update" | "delete" | "action";
  readonly span: Span | null;
}

/** Which operation a number of a session names; also which one sits on a seat of OPS-14. */
export interface OperationName {
  readonly operation: string;
}

/** OPS-12: the last three are final. */
export type OperationState = "accepted" | "running" | "succeeded" | "failed" | "cancelled";

/** What a progress line tells of a running operation (OPS-18). */
export interface OperationStep {
  /** plan nodes finished, plus one that runs; 0 before the first */
  readonly k: number;
  readonly of: number;
  /** binding label of the node that runs, else its entity's name */
  readonly label: string | null;
  /** rows that it has read */
  readonly rows: number;
  /** requests of the run so far, those of earlier attempts too; absent in records of an earlier program */
  readonly requests?: number;
}

/** What a terminal line tells (OPS-18). */
export interface OperationEnding {
  /** of its results */
  readonly rows: number;
  /** of the first error */
  readonly code: string | null;
  /** label of the node that failed */
  readonly label: string | null;
  readonly effectsDone: number;
  readonly inDoubt: number;
}

/**
 * A live run with effects, or one that was accepted to run by itself (OPS-12, OPS-13, OPS-39), from
 * before its first request. While it runs, its owner renews the lease; a lapsed one means that the
 * process has died, or stopped and left it to others. Times in ms by the store's clock.
 */
export interface OperationRecord {
  readonly uuid: string;
  /** its number in its session, once somebody was told a handle */
  readonly n: number | null;
  readonly ref: string;
  /** the accounts that it was planned for, whoever goes on with it; absent where there are none (RUN-129) */
  readonly accounts?: AccountNames;
  /** entry id → the sign-in that it began with, null for none: it goes on with no other (RUN-129); absent in records of an earlier program */
  readonly signIns?: Readonly<Record<string, string | null>>;
  readonly session: SessionKey;
  /** whose counters and handles it is of (SESS-6) */
  readonly holder: string;
  readonly principal: string;
  readonly subject: string | null;
  /** the request that it began with, as logs and the audit log name it, whoever goes on with it */
  readonly requestId?: string;
  readonly program: string;
  readonly commit: string;
  readonly verdict: "ok" | "review";
  /** entry id → digest of each catalog that the plan names */
  readonly digests: Readonly<Record<string, string>>;
  /** the capabilities that it calls, as `entry_id/capability`; absent in records of an earlier program */
  readonly uses?: readonly string[];
  /** without `work` in records of an earlier program */
  readonly budget: Readonly<Omit<Record<BudgetName, number>, "work">> & { readonly work?: number };
  /** every effect of the plan, in source order */
  readonly effects: readonly RunEffect[];
  /** accepted with a handle, and counted by OPS-14; else a caller waits for its answer */
  readonly detached: boolean;
  /** whoever started it takes every row as data (SURF-30) */
  readonly complete: boolean;
  /** seats it takes of OPS-14's */
  readonly seats: readonly string[];
  readonly state: OperationState;
  readonly cancelRequested: boolean;
  /** number of the last event, from 1 (OPS-21) */
  readonly event: number;
  readonly step: OperationStep;
  readonly outcome: OperationEnding | null;
  /** the attempt that runs it, or that tells how far it came: an id of its own, not the process's */
  readonly owner: string;
  readonly leaseUntil: number;
  /** the run's one clock reading and id (PLAN-063), by the clock of its first attempt */
  readonly run: { readonly at: number; readonly id: string };
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** how many processes ended while they ran it; none in records of an earlier program */
  readonly deaths?: number;
  /** when it was set aside for that; null or absent where it was not */
  readonly setAside?: number | null;
  /** the operation that goes on in its place since an operator let it: a set-aside one keeps its answer */
  readonly retriedAs?: { readonly uuid: string; readonly n: number };
  /** the uuid of the one in whose place it goes on */
  readonly retryOf?: string;
  /** SHA-256 of the stored answer, once ended (OPS-3) */
  readonly answer: string | null;
}
