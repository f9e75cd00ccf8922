import type { SessionKey } from "./execute-session.ts";

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
  readonly state: "running" | "ended";
  /** the process that runs it */
  readonly owner: string;
  readonly leaseUntil: number;
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** SHA-256 of the stored answer, once ended (OPS-3) */
  readonly answer: string | null;
}
