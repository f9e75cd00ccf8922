/** A rule that a catalog file violates (catalog format, section 1). */
export interface CatalogDiagnostic {
  /** The rule's number without hyphen: `CAT034`, `MAP012`. */
  readonly code: string;
  readonly severity: "error" | "warning";
  readonly file: string;
  /** Place of the offending key or value, both from 1; columns are code points. */
  readonly line: number;
  readonly column: number;
  /** The same place as UTF-16 offsets into the file's text without its BOM, `end` exclusive. */
  readonly start: number;
  readonly end: number;
  /** Keys from the file's root: `entities.Parcel.fields.depot.value_ref`; empty for the whole file. */
  readonly keyPath: string;
  /** What was found, what is allowed, what to do. */
  readonly message: string;
}
