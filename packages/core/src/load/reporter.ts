import { type SourceText, spanIn } from "../source/source-text.ts";
import type { TextRange } from "../source/span.ts";
import type { CatalogDiagnostic } from "./diagnostic.ts";
import { type KeyPath, keyPathText } from "./key-path.ts";
import {
  type CatalogCode,
  catalogMessages,
  type MessageVariant,
  type ParamsOf,
} from "./messages/catalogue.ts";
import { fillMessage, type MessageSpec } from "./messages/message.ts";

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
