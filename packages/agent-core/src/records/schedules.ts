import type { Json, JsonObject } from "@plasm/core";

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

/** What became of a row since the reading before. */
export type WatchEventKind = "appeared" | "changed" | "vanished";

/** The rows of a watch as its last reading had them: what the next one is compared with (WATCH-02). */
export interface WatchedRows {
  /** readings so far */
  readonly reading: number;
  /** number of the last event */
  readonly seq: number;
  /** hashes of rows, by their key as canonical JSON */
  readonly rows: Readonly<Record<string, string>>;
}

/** How long events are kept (WATCH-04), in ms. */
export const WATCH_EVENTS_KEPT_MS = 7 * 86_400_000;

/** One row that appeared, changed or vanished (WATCH-03). Its id is made of watch, key and reading. */
export interface WatchEventRecord {
  readonly id: string;
  /** its number among those of its watch, from 1 without gaps */
  readonly seq: number;
  /** the watch, by its schedule's id */
  readonly watch: string;
  readonly reading: number;
  /** in ms by the store's clock */
  readonly at: number;
  readonly kind: WatchEventKind;
  readonly key: JsonObject;
  /** the row as it is now; null where it vanished, and where it is too long */
  readonly row: JsonObject | null;
  readonly cut: boolean;
}

/** What a schedule that compares rows has found so far. */
export interface WatchState {
  /** the columns by which rows are known again */
  readonly key: readonly string[];
  /** its columns are fields of one entity, so that none is made of other rows (WATCH-08); records before it have none */
  readonly fields?: boolean;
  readonly reading: number;
  readonly rows: number;
  /** the id of the last event */
  readonly last: string | null;
  /** the webhook at which it reads, too: a catalog's entry id, a dot and its name (WATCH-07) */
  readonly webhook?: string;
}

/** What a watch's webhook has told (WATCH-07). Times in ms. */
export interface WakeRecord {
  /** since when a reading is asked for that has not begun; null without one */
  readonly at: number | null;
  /** when the last reading began that was asked for so, and when the last delivery came */
  readonly readAt: number;
  readonly toldAt: number;
  /** names of the last deliveries, the newest first */
  readonly seen: readonly string[];
}

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
  /** its rows are compared with those of the time before; absent where they are not (WATCH-01) */
  readonly watch?: WatchState;
}
