import type { BudgetName } from "@plasm/core";

/** The run limits that a plan shows and that policy may change (PLAN-050, RUN-130); `wall` in seconds. */
export type Limits = Readonly<Record<BudgetName, number>>;

/** RUN-130's defaults for a synchronous run. */
export const DEFAULT_LIMITS: Limits = Object.freeze({
  requests: 500,
  rows: 10_000,
  pages: 100,
  fan_out: 500,
  bytes: 64 * 1024 * 1024,
  wall: 45,
  work: 30_000_000,
});

/** RUN-130's wall time of an asynchronous run, in seconds. */
export const ASYNC_WALL_SECONDS = 30 * 60;

/**
 * How long after the end of a run's wall time, or its cancel, work on the rows in hand goes on, and templates over
 * them may start (PLAN-051), in milliseconds.
 */
export const LATE_WORK_MS = 2_000;

/**
 * The part of the budget `work` that is left, once it is used up, for what is made of the rows in hand (PLAN-051,
 * PLAN-053).
 */
export const LATE_WORK_SHARE = 0.1;

/** The fixed figures of RUN-022, RUN-024, RUN-025, RUN-027, RUN-028, RUN-130 and PLAN-060. */
export const FIXED = Object.freeze({
  perHost: 6,
  perRun: 24,
  connectTimeoutMs: 10_000,
  attemptTimeoutMs: 30_000,
  attempts: 3,
  backoffBaseMs: 500,
  backoffCapMs: 20_000,
  retryAfterCapMs: 60_000,
  redirects: 5,
  responseBytes: 10 * 1024 * 1024,
  requestBytes: 10 * 1024 * 1024,
  emptyPages: 10,
  localFilterPage: 50,
  jsonDepth: 128,
});
