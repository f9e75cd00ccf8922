/** One request that was sent, for traces: no query, no header, no body (RUN-142). */
export interface SentRequest {
  readonly node: string;
  readonly entryId: string;
  readonly method: string;
  readonly origin: string;
  readonly pathTemplate: string;
  readonly attempt: number;
  /** null when no response came */
  readonly status: number | null;
  readonly ms: number;
}
