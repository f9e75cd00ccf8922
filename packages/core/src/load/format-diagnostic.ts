import { snippet } from "../source/snippet.ts";
import { sourceText, spanIn } from "../source/source-text.ts";
import { visible } from "../text/visible.ts";
import type { CatalogDiagnostic } from "./diagnostic.ts";

/**
 * A diagnostic as text: `CAT034 error at domain.yaml:12:9 (values.note.type)`, the message, and,
 * if the file's text is given, its line with carets below the place.
 */
export function formatCatalogDiagnostic(diagnostic: CatalogDiagnostic, text?: string): string {
  const { code, severity, file, line, column, keyPath, message } = diagnostic;
  const where = keyPath === "" ? "" : ` (${visible(keyPath)})`;
  const lines = [`${code} ${severity} at ${file}:${line}:${column}${where}`];
  if (text !== undefined) {
    const source = sourceText(text.startsWith("\ufeff") ? text.slice(1) : text);
    lines.push(snippet(source, spanIn(source, diagnostic.start, diagnostic.end)));
  }
  lines.push(visible(message));
  return lines.join("\n");
}
