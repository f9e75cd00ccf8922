import type { CatalogPatch } from "@plasm/testkit";

/** The files of a catalog as an author could have written them; `«` and `»` mark as in a patch. */
export interface BrokenFiles {
  readonly entryId?: string;
  readonly domain: string;
  readonly mappings?: string;
}

/** A catalog that breaks one rule, and what must be said of it. */
export interface BrokenCase {
  readonly rule: string;
  /** What is wrong, for the test's name. */
  readonly when: string;
  /** A patch of the parcel catalog, or whole files; without marks the place is the file's start. */
  readonly patch: CatalogPatch | BrokenFiles;
  /** Key path of the diagnostic. */
  readonly at: string;
  /** What the message must contain. */
  readonly says: readonly string[];
  readonly severity?: "warning";
  /** Codes of other rules that the same mistake breaks. */
  readonly beside?: readonly string[];
}
