/** The content of a catalog that an administrator imported, by its digest (SESS-12). Times in ms. */
export interface ImportedCatalog {
  /** of its files (RUN-170) */
  readonly digest: string;
  readonly entryId: string;
  readonly version: number;
  readonly domain: string;
  /** null where the mappings are part of the domain file */
  readonly mappings: string | null;
  /** the administrator who imported it */
  readonly by: string;
  readonly at: number;
}

/** Which import of an entry id is on offer. */
export interface OfferRecord {
  readonly entryId: string;
  readonly digest: string;
}
