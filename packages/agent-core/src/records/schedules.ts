import type { Json } from "@plasm/core";

/** How a run of a schedule stands (SAV-19): the last four are final. */
export type ScheduledRunState =
  /** a process is about to plan it */
  | "starting"
  /** its plan waits for a person (SAV-20) */
  | "waiting"
  /** it is an operation that has not ended */
  | "started"
  | "succeeded"
  | "failed"
  | "cancelled"
  /** it was never sent: its code says why */
  | "refused";

/** What became of one due time of a schedule. Times in ms by the store's clock. */
export interface ScheduledRun {
  readonly due: number;
  /** it makes up for a due time at which no process ran (SAV-21) */
  readonly late: boolean;
  readonly state: ScheduledRunState;
  /** when a process took it up */
  readonly at: number;
  readonly endedAt: number | null;
  /** the ref of its plan; null before there is one */
  readonly ref: string | null;
  /** the uuid by which a person decides on it, where one has to, and until when it waits */
  readonly approval: { readonly uuid: string; readonly until: number } | null;
  /** id of the operation's record, and its uuid; null before it has begun */
  readonly operation: { readonly id: string; readonly uuid: string } | null;
  /** why it was refused or failed */
  readonly code: string | null;
  readonly message: string | null;
  /** rows of its results, and effects that were done */
  readonly rows: number | null;
  readonly effectsDone: number | null;
  readonly inDoubt: number | null;
}

/** Due times at which nothing was run (SAV-21). Times in ms. */
export interface MissedRuns {
  readonly count: number;
  /** there were more than are counted */
  readonly more: boolean;
  readonly from: number;
  readonly to: number;
  /** no process ran, or the run before was not over */
  readonly why: "nothing_ran" | "run_before";
}

/** By what a schedule's owner proved who it is, as it is looked at before each run (SAV-18). */
export type ScheduleCredential =
  /** a key of this deployment, by its id */
  | { readonly kind: "key"; readonly id: string }
  /** a token of an issuer, which this server cannot ask about: good until then, in ms */
  | { readonly kind: "token"; readonly until: number }
  /** nobody is asked who they are */
  | { readonly kind: "none" };

/** A saved program that is run at times (SAV-17). When it is looked at next is what its age counts from. */
export interface ScheduleRecord {
  readonly id: string;
  /** the saved program, and the version of it that is run */
  readonly name: string;
  readonly version: string;
  readonly arguments: Readonly<Record<string, Json>>;
  /** five fields, and the zone in which they are read */
  readonly cron: string;
  readonly zone: string;
  readonly paused: boolean;
  /** the principal whose it is, and its subject */
  readonly owner: string;
  readonly subject: string | null;
  readonly service: boolean;
  readonly credential: ScheduleCredential;
  readonly createdAt: number;
  /** the next due time, in ms; null while it is paused */
  readonly next: number | null;
  /** the run that is not over */
  readonly current: ScheduledRun | null;
  /** those that are, the newest first */
  readonly runs: readonly ScheduledRun[];
  /** the newest first */
  readonly missed: readonly MissedRuns[];
}
