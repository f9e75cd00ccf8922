/** Names a run that has not ended, whoever's it is: what recovery goes through (OPS-31). */
export interface UnfinishedRun {
  readonly scope: string;
  /** id of the run's record */
  readonly id: string;
}
