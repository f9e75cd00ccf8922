import type { CatalogDiagnostic } from "./diagnostic.ts";

/** The diagnostics of several files, each in the order of its text. */
export function sortDiagnostics(
  files: readonly (readonly CatalogDiagnostic[])[],
): readonly CatalogDiagnostic[] {
  return files.flatMap((each) => each.toSorted((a, b) => a.start - b.start || a.end - b.end));
}
