/** Which waves a connection has been sent: execute session id → number of waves (SESS-39). */
export interface ConnectionRecord {
  readonly id: string;
  readonly principal: string;
  readonly sent: Readonly<Record<string, number>>;
  readonly lastUsedAt: number;
}
