import type { EndedRun } from "../live-run/end-of-run.ts";
import type { LiveDeps } from "../live-run/live-deps.ts";
import type { OperationQueue } from "../ports.ts";
import type { Step } from "../records/operation-record.ts";
import type { OperationNews } from "./news.ts";
import type { OperationLimits } from "./seats.ts";
import type { UnkeptEnd } from "./unkept-end.ts";

/** An operation that this process runs. */
export interface Conducted {
  /** null where it was left to others */
  readonly end: Promise<EndedRun | null>;
  /** where it stands, also below what was told (OPS-19) */
  readonly step: () => Step;
}

/** What operations need besides what any live run does. */
export interface OperationDeps extends LiveDeps {
  readonly queue: OperationQueue;
  /** the operations that this process runs, by id */
  readonly running: Map<string, Conducted>;
  /** ends that the store refused, by operation: they stand if nobody has gone on with it (OPS-12) */
  readonly unkept: Map<string, UnkeptEnd>;
  /** how many may be unfinished (OPS-14) */
  readonly unfinished: OperationLimits;
  /** OPS-31, in ms */
  readonly leaseMs: number;
  /** wall time of a run that nobody waits for, in seconds (RUN-130) */
  readonly asyncWallSeconds: number;
  /** aborts when this process is to leave its operations to others */
  readonly stopping: AbortSignal;
  /** those who are told of events as they happen (OPS-23) */
  readonly news: OperationNews;
}
