/**
 * What of a session was dropped since the store was over its limit: the highest number of each kind, and when the last of
 * it was, in ms by the store's clock.
 */
export interface DroppedRecord {
  readonly snapshot?: number;
  readonly cursor?: number;
  readonly operation?: number;
  readonly at: number;
}
