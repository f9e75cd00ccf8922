import type { CatalogDiagnostic } from "../load/diagnostic.ts";
import { type CatalogSource, draftCatalog, loadCatalog } from "../load/load-catalog.ts";
import { sortDiagnostics } from "../load/sort-diagnostics.ts";
import type { Catalog } from "../mapping/catalog.ts";
import { checkCatalog } from "../schema-rules/check-catalog.ts";

const MOST = 200;

export interface OpenOptions {
  /** Publishing: every warning counts as an error (catalog format, section 1). */
  readonly strict?: boolean;
}

/** A catalog that was opened, or why it could not be. */
export interface OpenedCatalog {
  /** Null if any diagnostic is an error. */
  readonly catalog: Catalog | null;
  /** At most 200, each file in the order of its text, the domain first. */
  readonly diagnostics: readonly CatalogDiagnostic[];
  /** How many more there are. */
  readonly omitted: number;
}

/**
 * Opens a catalog end to end: reads the text of its files and checks every requirement on them.
 * Never throws, whatever the text; both files are checked completely.
 */
export function openCatalog(source: CatalogSource, options: OpenOptions = {}): OpenedCatalog {
  const loaded = loadCatalog(source);
  const { draft } = loaded;
  if (draft !== null) checkCatalog(draft);
  const files = draft === null ? [] : [draft.parts.domain.parsed, draft.parts.mappings.parsed];
  const found =
    draft === null
      ? loaded.diagnostics
      : sortDiagnostics([...new Set(files)].map((file) => file.reporter.diagnostics));
  const diagnostics = found.map((each): CatalogDiagnostic =>
    options.strict === true ? { ...each, severity: "error" } : each,
  );
  const faulty = draft === null || diagnostics.some((each) => each.severity === "error");
  return {
    catalog: faulty ? null : draftCatalog(draft),
    diagnostics: diagnostics.slice(0, MOST),
    omitted: Math.max(0, diagnostics.length - MOST),
  };
}
