/** How much of a logical session's tables a connection has been sent. */
export interface SentWaves {
  readonly sessionId: string;
  /** the other half of its binding; none in records of earlier versions */
  readonly promptHash?: string;
  readonly waves: number;
}

/** A call of a connection that was cancelled, by the name its surface gave it, and when. */
export interface CancelledCall {
  readonly call: string;
  readonly at: number;
}

/** Which waves a connection has been sent, by logical session (SESS-39, SESS-40). */
export interface ConnectionRecord {
  readonly id: string;
  readonly sent: Readonly<Record<string, SentWaves>>;
  /** logical sessions that were opened on it though nothing was sent: it is told of them, too (OPS-23) */
  readonly opened?: readonly string[];
  /** logical sessions that it goes on with, though they were opened elsewhere (SESS-4) */
  readonly restored?: readonly string[];
  /** the last calls that were cancelled on it (OPS-11) */
  readonly cancelled?: readonly CancelledCall[];
  readonly lastUsedAt: number;
}
