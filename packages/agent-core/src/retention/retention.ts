import { SESSION_LIFETIME_MS } from "../session/session-deps.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How long things are kept, in ms (SESS-37). */
export interface Retention {
  /** of an operation that has ended, with its answer and its ref, though its session has ended */
  readonly operations: number;
  /** of a snapshot, of a file of a session, and of a page handle that nobody uses */
  readonly snapshots: number;
  /** of a trace, from its last event */
  readonly traces: number;
  /** of a logical session with its slots, and of a connection, from their last use */
  readonly sessions: number;
  /** of a line of an audit log (OPS-43) */
  readonly audit: number;
}

/** The times of SESS-37. */
export const DEFAULT_RETENTION: Retention = Object.freeze({
  operations: HOUR_MS,
  snapshots: 7 * DAY_MS,
  traces: 7 * DAY_MS,
  sessions: 30 * DAY_MS,
  audit: 365 * DAY_MS,
});

/** How many bytes may be kept: of a whole store, and of a tenant in it (SESS-37). */
export interface StoreBounds {
  /** over it, what is oldest goes first, before its age */
  readonly store: number;
  /** over it, nothing more of what callers make is kept */
  readonly tenant: number;
}

const TWO_GB = 2 * 1024 ** 3;

/** Whatever a store may hold, one tenant may hold. */
export const DEFAULT_BOUNDS: StoreBounds = Object.freeze({ store: TWO_GB, tenant: TWO_GB });

/** What a sweep goes by. */
export interface SweepTimes extends Retention {
  /** SESS-11: by it the last use of a session is told from the end of its lifetime */
  readonly sessionLifetime: number;
}

export const DEFAULT_TIMES: SweepTimes = Object.freeze({
  ...DEFAULT_RETENTION,
  sessionLifetime: SESSION_LIFETIME_MS,
});
