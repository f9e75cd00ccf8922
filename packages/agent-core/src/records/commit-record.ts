import type { SessionKey } from "./execute-session.ts";

/** Where a minted plan stands between its dry run and its run (OPS-2, OPS-36). */
export type CommitState = "live" | "waiting" | "approved" | "rejected" | "consumed";

/** A minted plan reference (OPS-2). Times in ms by the store's clock. */
export interface CommitRecord {
  readonly uuid: string;
  /** `pc0`, `pc1`, … */
  readonly ref: string;
  readonly session: SessionKey;
  readonly principal: string;
  readonly commit: string;
  /**
   * The program as it was planned first, for runs that name the ref alone; absent once it has run, when its
   * operation has it, and in records of an earlier program.
   */
  readonly program?: string;
  readonly verdict: "ok" | "review";
  readonly state: CommitState;
  readonly hasEffects: boolean;
  readonly mintedAt: number;
  readonly expiresAt: number;
  /** when its plan was explained, and the numbers of the snapshots that were made of its reads (OPS-38) */
  readonly explained?: { readonly at: number; readonly snapshots: readonly number[] };
}
