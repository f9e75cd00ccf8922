import type { CatalogDiagnostic } from "../src/catalog/reporter.ts";

/** What is wrong with the place of a diagnostic in the text it is about; null if it is a real one. */
export function misplaced(found: CatalogDiagnostic, given: string | undefined): string | null {
  if (given === undefined) return "no such file";
  const text = given.replace(/^\ufeff/, "");
  const { line, column, start, end } = found;
  if (start < 0 || start > end || end > text.length) return "no stretch of the text";
  const lines = text.split("\n");
  const own = lines[line - 1];
  if (own === undefined) return "no such line";
  const points = Array.from(own);
  if (column < 1 || column > points.length + 1) return "no such column";
  const before = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  const offset = before + points.slice(0, column - 1).join("").length;
  return offset === start ? null : "line and column lead elsewhere";
}
