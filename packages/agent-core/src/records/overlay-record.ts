import type { ProjectedOverlay } from "@plasm/core";

/** An overlay as it was read for one tenant, credential, catalog and backend (RUN-103). */
export interface OverlayRecord {
  /** null while it has not been read, or its last reading failed */
  readonly content: {
    readonly overlay: ProjectedOverlay;
    /** what was left out of it */
    readonly notes: readonly string[];
    /** the store's clock, in ms */
    readonly readAt: number;
  } | null;
  /** until when one process may be at reading it: others wait for what it finds; the store's clock */
  readonly readingUntil: number;
}
