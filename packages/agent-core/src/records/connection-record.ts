/** How much of a logical session's tables a connection has been sent. */
export interface SentWaves {
  readonly sessionId: string;
  readonly waves: number;
}

/** Which waves a connection has been sent, by logical session (SESS-39, SESS-40). */
export interface ConnectionRecord {
  readonly id: string;
  readonly sent: Readonly<Record<string, SentWaves>>;
  readonly lastUsedAt: number;
}
