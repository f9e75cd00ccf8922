/** Names an operation that has not ended, whoever's it is: what recovery goes through (OPS-31). */
export interface UnfinishedOperation {
  readonly scope: string;
  /** id of the operation's record */
  readonly id: string;
}
