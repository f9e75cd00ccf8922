/** Names an operation that was set aside, whoever's it is: what operators look through. */
export interface SetAsideOperation extends UnfinishedOperation {
  /** when, in ms by the store's clock */
  readonly at: number;
}

/** Names an operation that has not ended, whoever's it is: what recovery goes through (OPS-31). */
export interface UnfinishedOperation {
  readonly scope: string;
  /** id of the operation's record */
  readonly id: string;
}
