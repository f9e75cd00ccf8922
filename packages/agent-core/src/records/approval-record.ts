import type { Json } from "@plasm/core";
import type { SessionKey } from "./execute-session.ts";

/** What an operator decided, who and when (OPS-36). */
export interface Decision {
  readonly verdict: "approved" | "rejected";
  /** the operator's subject */
  readonly by: string;
  readonly at: number;
}

/** A plan that was put before an operator, as it is shown to one (OPS-36). Times in ms. */
export interface ApprovalRecord {
  /** the uuid of the commit */
  readonly uuid: string;
  readonly ref: string;
  /** whose ref it is: the logical session, else the execute session */
  readonly owner: string;
  readonly session: SessionKey;
  readonly principal: string;
  /** who called */
  readonly subject: string | null;
  /** the user that the call was for, if another; absent in records of an earlier program */
  readonly actingFor?: string | null;
  readonly intent: string | null;
  /** the hash that a decision binds to */
  readonly commit: string;
  readonly program: string;
  /** the plan as a dry run prints it */
  readonly plan: string;
  readonly effects: readonly Json[];
  readonly requestedAt: number;
  readonly decision: Decision | null;
}

/** One place on an operator's list; gone once the plan no longer waits. */
export interface WaitingRecord {
  readonly uuid: string;
  /** who asks; absent in records of an earlier program */
  readonly subject?: string | null;
  readonly expiresAt: number;
}

/** That a plan was rejected in a session: for good (OPS-36). */
export interface RejectionRecord {
  readonly uuid: string;
  readonly ref: string;
}
