import { type CatalogPatch, patchedCatalog } from "@plasm/testkit";
import type { CatalogDiagnostic } from "../../load/diagnostic.ts";
import { loadCatalog } from "../../load/load-catalog.ts";
import { sortDiagnostics } from "../../load/sort-diagnostics.ts";
import { checkCatalog } from "../check-catalog.ts";

/** A patch of the parcel catalog that breaks one rule, and what must be said of it. */
export interface BrokenCase {
  readonly rule: string;
  /** What is wrong, for the test's name. */
  readonly when: string;
  readonly patch: CatalogPatch;
  /** Key path of the diagnostic. */
  readonly at: string;
  /** What the message must contain. */
  readonly says: readonly string[];
  readonly severity?: "warning";
}

/** One finding as a test compares it: code, place, key path, marked text. */
export interface Finding {
  readonly code: string;
  readonly severity: CatalogDiagnostic["severity"];
  readonly place: string;
  readonly at: string;
}

/** All findings of a patched catalog, with what a case expects of the only one. */
export function diagnosePatch(broken: BrokenCase): {
  readonly found: readonly Finding[];
  readonly expected: readonly Finding[];
  readonly message: string;
  readonly missing: readonly string[];
} {
  const { domain, mappings, place } = patchedCatalog(broken.patch);
  const diagnostics = diagnose(domain, mappings);
  const texts: Readonly<Record<string, string>> = {
    "domain.yaml": domain,
    "mappings.yaml": mappings,
  };
  const found = diagnostics.map((each) => {
    const slice = place?.text ? (texts[each.file] ?? "").slice(each.start, each.end) : "";
    const where = `${each.file}:${each.line}:${each.column} ${slice}`.trimEnd();
    return { code: each.code, severity: each.severity, place: where, at: each.keyPath };
  });
  const marked = place && `${place.file}:${place.line}:${place.column} ${place.text}`.trimEnd();
  const severity = broken.severity ?? "error";
  const code = broken.rule.replace("-", "");
  const message = diagnostics[0]?.message ?? "";
  return {
    found,
    expected: [{ code, severity, place: marked ?? "nowhere", at: broken.at }],
    message,
    missing: broken.says.filter((part) => !message.includes(part)),
  };
}

/** The diagnostics of a catalog's text, rules included. */
export function diagnose(domain: string, mappings: string): readonly CatalogDiagnostic[] {
  const { draft, diagnostics } = loadCatalog({
    entryId: "parcels",
    domain: { file: "domain.yaml", text: domain },
    mappings: { file: "mappings.yaml", text: mappings },
    functions: ["sign_body"],
  });
  if (draft === null) return diagnostics;
  checkCatalog(draft);
  const { parts } = draft;
  return sortDiagnostics([
    parts.domain.parsed.reporter.diagnostics,
    parts.mappings.parsed.reporter.diagnostics,
  ]);
}
