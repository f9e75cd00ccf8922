/** The content of a catalog as a session opened it: both files' text (SESS-12, RUN-173). */
export interface PinnedCatalog {
  readonly digest: string;
  readonly entryId: string;
  readonly domain: string;
  readonly mappings: string | null;
}
