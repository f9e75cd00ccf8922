import { withBoundedSuggestions } from "../../diagnostics/nearest-name.ts";
import { type CatalogDiagnostic, sortDiagnostics } from "../reporter.ts";
import {
  type CatalogFiles,
  type CatalogSource,
  draftCatalog,
  parseCatalog,
  readCatalog,
} from "../load-catalog.ts";
import type { Catalog } from "../../mapping/template.ts";
import { checkCatalog } from "../rules/specified-rules.ts";
import type { Fault } from "./drop-parts.ts";
import { type CheckedFiles, usableRest } from "./usable-rest.ts";

const MOST = 200;

export interface OpenOptions {
  /** Publishing: every warning counts as an error (catalog format, section 1), and no part is left out. */
  readonly strict?: boolean;
}

/** A catalog that was opened, or why it could not be. */
export interface OpenedCatalog {
  /**
   * Null if any diagnostic is an error. What is wrong in one part alone is a warning that says what is left
   * out for it; the catalog has the rest, and `dropped` names the parts (RUN-180).
   */
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
export const openCatalog = (source: CatalogSource, options: OpenOptions = {}): OpenedCatalog =>
  withBoundedSuggestions(() => openBounded(source, options));

function openBounded(source: CatalogSource, options: OpenOptions): OpenedCatalog {
  const files = parseCatalog(source);
  const checked = checkFiles(files);
  const { draft, diagnostics: found, faults } = checked;
  if (options.strict === true) {
    const errors = found.map((each): CatalogDiagnostic => ({ ...each, severity: "error" }));
    return opened(errors.length > 0 || draft === null ? null : draftCatalog(draft), errors);
  }
  if (draft !== null && faults.length === 0) return opened(draftCatalog(draft), found);
  const rest = usableRest(files, checked, checkFiles);
  return rest === null ? opened(null, found) : opened(rest.catalog, rest.diagnostics);
}

function opened(catalog: Catalog | null, found: readonly CatalogDiagnostic[]): OpenedCatalog {
  const diagnostics = found.slice(0, MOST);
  return { catalog, diagnostics, omitted: Math.max(0, found.length - MOST) };
}

/** Reads parsed files and checks every requirement on them. */
function checkFiles(files: CatalogFiles): CheckedFiles {
  const { draft, diagnostics } = readCatalog(files);
  if (draft !== null) checkCatalog(draft);
  const { domain, mappings } = files;
  const parsed = [...new Set(mappings === null ? [domain] : [domain, mappings.parsed])];
  const faults = parsed.flatMap((file) =>
    file.reporter.errors.map((error): Fault => {
      const prefix = mappings?.parsed === file ? mappings.prefix : null;
      const isInMappings = prefix !== null && prefix.every((step, at) => error.path[at] === step);
      return isInMappings
        ? { ...error, where: "mappings", path: error.path.slice(prefix.length) }
        : { ...error, where: "domain" };
    }),
  );
  const all =
    draft === null ? diagnostics : sortDiagnostics(parsed.map((file) => file.reporter.diagnostics));
  return { draft, diagnostics: all, faults };
}
