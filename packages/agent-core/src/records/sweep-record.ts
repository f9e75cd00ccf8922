/** When the store was last swept, by whichever process; the store's clock, in ms (SESS-37). */
export interface SweepRecord {
  readonly at: number;
}
