import { patchedCatalog } from "@plasm/testkit";
import { type CatalogDiagnostic, sortDiagnostics } from "../../reporter.ts";
import { loadCatalog } from "../../load-catalog.ts";
import { checkCatalog } from "../specified-rules.ts";
import type { BrokenCase } from "./broken-case.ts";

/** One finding as a test compares it: code, place, key path, marked text. */
export interface Finding {
  readonly code: string;
  readonly severity: CatalogDiagnostic["severity"];
  readonly place: string;
  readonly at: string;
}

/** All findings of a broken catalog, with what a case expects of the only one. */
export interface Diagnosed {
  readonly found: readonly Finding[];
  readonly expected: readonly Finding[];
  readonly message: string;
  readonly missing: readonly string[];
  readonly diagnostic: CatalogDiagnostic | undefined;
  /** Texts of the files by name. */
  readonly texts: Readonly<Record<string, string>>;
}

/** Diagnoses the catalog of a case. */
export function diagnosePatch(broken: BrokenCase): Diagnosed {
  const files = "domain" in broken.patch ? broken.patch : null;
  const { place, domain, ...patched } = patchedCatalog(broken.patch);
  const mappings = files !== null && files.mappings === undefined ? undefined : patched.mappings;
  const { beside = [] } = broken;
  const all = diagnose(domain, mappings, files?.entryId);
  const diagnostics = all.filter(({ code }) => !beside.includes(code));
  const texts: Readonly<Record<string, string>> = {
    "domain.yaml": domain,
    ...(mappings === undefined ? {} : { "mappings.yaml": mappings }),
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
    expected: [{ code, severity, place: marked ?? "domain.yaml:1:1", at: broken.at }],
    message,
    missing: broken.says.filter((part) => !message.includes(part)),
    diagnostic: diagnostics[0],
    texts,
  };
}

/** The diagnostics of a catalog's text, rules included. */
export function diagnose(
  domain: string,
  mappings: string | undefined,
  entryId = "parcels",
): readonly CatalogDiagnostic[] {
  const { draft, diagnostics } = loadCatalog({
    entryId,
    domain: { file: "domain.yaml", text: domain },
    ...(mappings === undefined ? {} : { mappings: { file: "mappings.yaml", text: mappings } }),
    functions: ["sign_body"],
  });
  if (draft === null) return diagnostics;
  checkCatalog(draft);
  const { parts } = draft;
  const files = new Set([parts.domain.parsed, parts.mappings.parsed]);
  return sortDiagnostics([...files].map(({ reporter }) => reporter.diagnostics));
}
