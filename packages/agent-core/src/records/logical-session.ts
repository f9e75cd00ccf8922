import type { SessionKey } from "./execute-session.ts";

export type LossReason = "expired" | "missing" | "catalog_gone";

/** That an execute session is gone, kept until its agent has been told (SESS-25). */
export interface Loss {
  readonly reason: LossReason;
  readonly previous: SessionKey;
  /** a plasm_context answer has reported it */
  readonly reported: boolean;
}

/** The pair (scope, intent), with the execute session it is bound to (SESS-1, SESS-5). */
export interface LogicalSession {
  readonly uuid: string;
  readonly scope: string;
  /** the principal whose it is where calls are delegated */
  readonly subject?: string | null;
  readonly intent: string;
  readonly bound: SessionKey | null;
  readonly loss: Loss | null;
  readonly createdAt: number;
  readonly lastUsedAt: number;
}
