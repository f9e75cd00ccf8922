import type { ProjectedOverlay } from "@plasm/core";

/**
 * The content of a catalog as a session opened it: both files' text, and the overlay it was opened with
 * (SESS-12, RUN-173).
 */
export interface PinnedCatalog {
  readonly digest: string;
  readonly entryId: string;
  readonly domain: string;
  readonly mappings: string | null;
  /** absent without overlay */
  readonly overlay?: ProjectedOverlay;
  /** some of its parts were left out when it was loaded; absent where it is whole */
  readonly partial?: true;
}
