import type { ExpectedEffect } from "@plasm/runtime";

/** The items of one for_each of a run, from before its first effect; its id is the run's and the node's. */
export interface ExpectedRecord {
  readonly effects: readonly ExpectedEffect[];
}
