import type { Json } from "@plasm/core";
import type { AccountNames, SessionKey } from "./sessions.ts";

/** What an operator decided, who and when (OPS-36). */
export interface Decision {
  readonly verdict: "approved" | "rejected";
  /** the operator's subject */
  readonly by: string;
  readonly at: number;
  /** why, in the operator's words; absent where none were given */
  readonly reason?: string;
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
  /** what it is expected to cost (OPS-37); absent in records of an earlier program */
  readonly bill?: Json;
  readonly requestedAt: number;
  /** the person at the client may decide, too (OPS-65) */
  readonly byClient?: true;
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

/** Which ref a session and principal last minted for a commit id, so that planning repeats it (OPS-2). */
export interface MintedRecord {
  readonly ref: string;
}

/** Where a minted plan stands between its dry run and its run (OPS-2, OPS-36). */
export type CommitState = "live" | "waiting" | "approved" | "rejected" | "consumed";

/** A minted plan reference (OPS-2). Times in ms by the store's clock. */
export interface CommitRecord {
  readonly uuid: string;
  /** `pc0`, `pc1`, … */
  readonly ref: string;
  readonly session: SessionKey;
  readonly principal: string;
  readonly commit: string;
  /**
   * The program as it was planned first, for runs that name the ref alone; absent once it has run, when its
   * operation has it, and in records of an earlier program.
   */
  readonly program?: string;
  readonly verdict: "ok" | "review";
  readonly state: CommitState;
  readonly hasEffects: boolean;
  /** the person at the client approved it, which lets it run only while policy leaves its effects to them (OPS-65) */
  readonly approvedBy?: "client";
  /** the accounts that it was planned for, and runs with alone; absent where no catalog of it has any (RUN-129) */
  readonly accounts?: AccountNames;
  /** SHA-256 of the files that it names, as they were; absent where it names none (VAL-08) */
  readonly files?: Readonly<Record<string, string>>;
  readonly mintedAt: number;
  readonly expiresAt: number;
  readonly explained?: PlanExplanation;
}

/** What was found out last for the caller of a plan about what it would change (OPS-38). */
export interface PlanExplanation {
  /** in ms */
  readonly at: number;
  /** the numbers of the snapshots that were made of its reads */
  readonly snapshots: readonly number[];
  /** its effects with targets, before and after, as many as an operator is shown (OPS-45); absent in records of an earlier program */
  readonly effects?: readonly Json[];
  /** how many more there are */
  readonly omitted?: number;
}
