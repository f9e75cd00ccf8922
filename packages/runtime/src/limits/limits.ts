import { BUDGET_NAMES, type BudgetName } from "@plasm/core";
import { PIECES_A_UNIT } from "@plasm/core/internal";
import type { Clock } from "../ports.ts";
import type { FailureDetail } from "../base/run-failure.ts";

/** What stopped a run: a budget that is used up, or its caller. */
export type StopReason = BudgetName | "cancelled";

const STOP_REASONS: ReadonlySet<string> = new Set<StopReason>([...BUDGET_NAMES, "cancelled"]);

/** Whether what cut a result short is a budget or cancel. */
export const isStopReason = (reason: string): reason is StopReason => STOP_REASONS.has(reason);

/** Says that no further request may start; what was read so far is kept (PLAN-051). */
export class RunStop extends Error {
  override readonly name = "RunStop";
  readonly reason: StopReason;
  /** the request that hung until then, as its node fails where it has nothing else to show */
  readonly hung: FailureDetail | null;
  constructor(reason: StopReason, hung: FailureDetail | null = null) {
    super(`stopped: ${reason}`);
    this.reason = reason;
    this.hung = hung;
  }
}

/** The counters of one run, shared by all its nodes (PLAN-050). */
export interface Budget {
  readonly limits: Limits;
  /** Counts one attempt, or throws {@link RunStop} if none may start. */
  takeRequest(): void;
  /** The reason why no request may start now, or null. */
  stopped(): StopReason | null;
  /** How many of `wanted` rows may still be taken; takes them. */
  takeRows(wanted: number): number;
  addPage(): void;
  addBytes(bytes: number): void;
  bytesLeft(): number;
  /**
   * How many of `items` may still be worked on, each of so many pieces; takes them. Once some may not, the run is
   * stopped: what is taken later is work on the rows in hand (PLAN-053).
   */
  takeWork(items: number, pieces: number): number;
  /** milliseconds that are left of the wall time; below 0 when it is over, whatever the clock was set to meanwhile */
  wallLeft(): number;
  use(): { requests: number; rows: number; pages: number; bytes: number; work: number };
}

/** A budget whose wall time starts now. */
export function createBudget(limits: Limits, clock: Clock, signal?: AbortSignal): Budget {
  const used = { requests: 0, rows: 0, pages: 0, bytes: 0 };
  let pieces = 0;
  let worked = false;
  const elapsed = (): number => clock.elapsed?.() ?? clock.now();
  const deadline = elapsed() + limits.wall * 1000;
  const wallLeft = (): number => deadline - elapsed();
  const stopped = (): StopReason | null => {
    if (signal?.aborted === true) return "cancelled";
    if (wallLeft() <= 0) return "wall";
    if (used.requests >= limits.requests) return "requests";
    if (used.bytes >= limits.bytes) return "bytes";
    if (worked) return "work";
    return used.rows >= limits.rows ? "rows" : null;
  };
  return {
    limits,
    wallLeft,
    stopped,
    takeRequest() {
      const reason = stopped();
      if (reason !== null) throw new RunStop(reason);
      used.requests += 1;
    },
    takeRows(wanted) {
      const taken = Math.min(wanted, Math.max(0, limits.rows - used.rows));
      used.rows += taken;
      return taken;
    },
    addPage() {
      used.pages += 1;
    },
    addBytes(bytes) {
      used.bytes += bytes;
    },
    bytesLeft: () => Math.max(0, limits.bytes - used.bytes),
    takeWork(items, each) {
      const most = limits.work * PIECES_A_UNIT * (worked ? 1 + LATE_WORK_SHARE : 1);
      const taken =
        each <= 0 ? items : Math.min(items, Math.max(0, Math.floor((most - pieces) / each)));
      pieces += taken * each;
      if (taken < items) worked = true;
      return taken;
    },
    use: () => ({ ...used, work: Math.ceil(pieces / PIECES_A_UNIT) }),
  };
}

/** The run limits that a plan shows and that policy may change (PLAN-050, RUN-130); `wall` in seconds. */
export type Limits = Readonly<Record<BudgetName, number>> & {
  /** most effects that an effect per row may have, where nobody has reviewed the run (SAV-16) */
  readonly effects?: number;
};

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
const LATE_WORK_SHARE = 0.1;

/** The fixed figures of RUN-022, RUN-024, RUN-025, RUN-027, RUN-028, RUN-130, RUN-213 and PLAN-060. */
export const FIXED = Object.freeze({
  perHost: 6,
  perRun: 24,
  connectTimeoutMs: 10_000,
  attemptTimeoutMs: 30_000,
  attempts: 3,
  /** of a read that is refused while others pass (RUN-213) */
  refusedAttempts: 10,
  backoffBaseMs: 500,
  backoffCapMs: 20_000,
  retryAfterCapMs: 60_000,
  redirects: 5,
  responseBytes: 10 * 1024 * 1024,
  requestBytes: 10 * 1024 * 1024,
  /** VAL-05: of a file, from its first byte to its last */
  fileTimeoutMs: 15 * 60_000,
  emptyPages: 10,
  localFilterPage: 50,
  jsonDepth: 128,
});

/** What the files of runs may be, and which programs may name (VAL-05, VAL-07). */
export interface FileRules {
  /** size of one file */
  readonly maxBytes: number;
  /** absolute paths of the directories whose files programs may send; none without it */
  readonly directories?: readonly string[];
  /** origins from which programs may have files fetched; none without it */
  readonly origins?: readonly string[];
}

/** VAL-05's limits; no program names a file of this machine or of another one. */
export const DEFAULT_FILE_RULES: FileRules = Object.freeze({ maxBytes: 256 * 1024 * 1024 });

/** The settings that file rules are read from (docs/settings.md); messages name them. */
export const FILE_SETTINGS = Object.freeze({
  maxBytes: "PLASM_FILE_BYTES",
  directories: "PLASM_FILE_DIRECTORIES",
  origins: "PLASM_FILE_ORIGINS",
} as const satisfies Readonly<Record<keyof FileRules, string>>);
