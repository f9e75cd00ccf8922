/**
 * A call that was made as an MCP task (OPS-26): of the operation it became, or of an end that it had at
 * once. Its id begins with the principal whose it is. Times in ms by the store's clock.
 */
export interface TaskRecord {
  /** `taskId`: the operation's uuid, where there is one */
  readonly uuid: string;
  readonly principal: string;
  /** id of the operation; null where the call came to its end at once */
  readonly operation: string | null;
  /** SHA-256 of the stored end, where there is no operation */
  readonly answer: string | null;
  /** of that end: what is told of it */
  readonly ended: { readonly state: "completed" | "failed"; readonly message: string } | null;
  /** how long its maker may ask for it, in ms from its creation */
  readonly ttl: number;
  readonly createdAt: number;
}
