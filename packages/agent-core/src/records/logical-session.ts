import type { SessionKey } from "./execute-session.ts";

/** Why an execute session is gone (SESS-26). */
export type LossReason = "expired" | "missing" | "catalog_gone";

/** That an execute session is gone, kept until its agent has been told (SESS-25). */
export interface Loss {
  readonly reason: LossReason;
  readonly previous: SessionKey;
  /** a plasm_context answer has reported it */
  readonly reported: boolean;
}

/** A loss that was done with, for connections that hear of it later (SESS-40). */
export type PastLoss = Pick<Loss, "reason" | "previous">;

/** The pair (scope, intent), with the execute session it is bound to (SESS-1, SESS-5). */
export interface LogicalSession {
  readonly uuid: string;
  readonly scope: string;
  /** the principal whose it is where calls are delegated */
  readonly subject?: string | null;
  readonly intent: string;
  readonly bound: SessionKey | null;
  readonly loss: Loss | null;
  /** earlier losses, the last first; the oldest are forgotten */
  readonly past?: readonly PastLoss[];
  readonly createdAt: number;
  readonly lastUsedAt: number;
}
