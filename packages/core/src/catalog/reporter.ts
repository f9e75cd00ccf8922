import { snippet, type SourceText, sourceText, spanIn } from "../base/source.ts";
import type { TextRange } from "../base/span.ts";
import { type KeyPath, keyPathText } from "./key-path.ts";
import {
  type CatalogCode,
  catalogMessages,
  type MessageVariant,
  type ParamsOf,
} from "./messages/catalogue.ts";
import { fillMessage, type MessageSpec } from "./messages/message.ts";
import { visible } from "../base/text.ts";
import { nearestNames, suggestible } from "../diagnostics/nearest-name.ts";

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

/** Where a diagnostic points: the text, and the keys that lead there. */
export interface ReportPlace {
  readonly at: TextRange;
  readonly path: KeyPath;
}

/** Takes one diagnostic; code and variant choose the text, which says what it must be given. */
export type Report = <C extends CatalogCode, V extends MessageVariant<C>>(
  place: ReportPlace,
  code: C,
  variant: V,
  params: ParamsOf<C, V>,
) => void;

/** The diagnostics of one file, collected. */
export interface Reporter {
  readonly report: Report;
  readonly diagnostics: readonly CatalogDiagnostic[];
  /** Paths at which an error was reported. */
  readonly faults: readonly KeyPath[];
  /** The errors, each with its path. */
  readonly errors: readonly PlacedError[];
}

/** An error, and where it was found. */
export interface PlacedError {
  readonly path: KeyPath;
  readonly diagnostic: CatalogDiagnostic;
}

/** A collector for one file. */
export function createReporter(file: string, source: SourceText): Reporter {
  const diagnostics: CatalogDiagnostic[] = [];
  const faults: KeyPath[] = [];
  const errors: PlacedError[] = [];
  const report: Report = (place, code, variant, params) => {
    const spec: MessageSpec = catalogMessages[code];
    const text = spec.texts[String(variant)] ?? "";
    const { start, end, line, column } = spanIn(source, place.at.start, place.at.end);
    const message = fillMessage(text, params as Readonly<Record<string, string | number>>);
    const keyPath = keyPathText(place.path);
    const severity = spec.warns?.includes(String(variant)) === true ? "warning" : spec.severity;
    const found = { code, severity, file, line, column, start, end, keyPath, message } as const;
    diagnostics.push(found);
    if (severity !== "error") return;
    faults.push(place.path);
    errors.push({ path: place.path, diagnostic: found });
  };
  return { report, diagnostics, faults, errors };
}

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

/** The diagnostics of several files, each in the order of its text. */
export function sortDiagnostics(
  files: readonly (readonly CatalogDiagnostic[])[],
): readonly CatalogDiagnostic[] {
  return files.flatMap((each) => each.toSorted((a, b) => a.start - b.start || a.end - b.end));
}

/**
 * ` (nearest: x)` for a wrong name, or nothing: the nearest allowed name, if its edit distance is
 * at most 3 and less than half its length, else one of which either is a prefix of the other
 * (catalog format, section 1).
 */
export function nearestText(wrong: string, names: Iterable<string>): string {
  const all = suggestible(names);
  const nearest = nearestNames(wrong, all)[0] ?? all.find((name) => isPrefix(wrong, name));
  return nearest === undefined ? "" : ` (nearest: ${nearest})`;
}

function isPrefix(a: string, b: string): boolean {
  return a !== "" && b !== "" && (a.startsWith(b) || b.startsWith(a));
}
