import type { EndedRun } from "../live-run/end-of-run.ts";
import type { UnwrittenEnd } from "../live-run/stored-effect-log.ts";

/** What the store refused of an attempt: nobody but this process knows of it. */
export interface UnkeptEnd {
  readonly owner: string;
  /** the end that was told, or might have been; null for a run that is to go on when the store is back */
  readonly end: EndedRun | null;
  readonly effects: readonly UnwrittenEnd[];
}
