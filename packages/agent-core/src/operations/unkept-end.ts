import type { EndedRun } from "../live-run/end-of-run.ts";

/** An end that was told, or might have been, by the attempt that came to it. */
export interface UnkeptEnd {
  readonly owner: string;
  readonly end: EndedRun;
}
