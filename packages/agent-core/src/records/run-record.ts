import type { SessionKey } from "./execute-session.ts";
import type { RunEffect } from "./run-effect.ts";

/**
 * A live run with effects, from before its first request (OPS-39). Its id is that of the ref it
 * consumed. While `running`, the owner renews the lease; a lapsed one means the process has died.
 */
export interface RunRecord {
  readonly ref: string;
  readonly session: SessionKey;
  readonly principal: string;
  readonly program: string;
  readonly commit: string;
  /** every effect of the plan, in source order */
  readonly effects: readonly RunEffect[];
  readonly state: "running" | "ended";
  /** the attempt that runs it, or that tells how far it came: an id of its own, not the process's */
  readonly owner: string;
  readonly leaseUntil: number;
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** SHA-256 of the stored answer, once ended (OPS-3) */
  readonly answer: string | null;
}
