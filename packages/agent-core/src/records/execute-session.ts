import type { Notation } from "@plasm/core";

/** What names an execute session; both parts stay fixed through all waves (SESS-9). */
export interface SessionKey {
  readonly promptHash: string;
  readonly sessionId: string;
}

/** One symbol space: what waves, commits and cursors belong to (SESS-10). Times in ms. */
export interface ExecuteSession extends SessionKey {
  readonly scope: string;
  /** the principal's subject in delegated mode, else null */
  readonly subject: string | null;
  readonly logicalId: string | null;
  /** the principal that opened it, where no intent binds it; absent in records of an earlier program */
  readonly opener?: string;
  readonly notation: Notation;
  /** it teaches and takes reads alone; absent where it may change data */
  readonly readOnly?: true;
  readonly primary: string;
  readonly reuseKey: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** when its lifetime was over, once it has ended for good; absent while it may live */
  readonly endedAt?: number;
}
