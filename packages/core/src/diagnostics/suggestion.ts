import type { SourceText } from "../source/source-text.ts";
import type { Diagnostic, Edit } from "./diagnostic.ts";
import { applyEdits, offsetAfter } from "./edits.ts";

/** A program that may be suggested, and what it was made from. */
export interface Suggestion {
  readonly program: string;
  readonly edits: readonly Edit[];
  /** The mistake it is to mend. */
  readonly mended: Diagnostic;
  /** Every other mistake of the program as sent. */
  readonly others: readonly Diagnostic[];
}

/** Decides whether a suggestion may be offered (ERR-008), by reading it again. */
export type Recheck = (suggestion: Suggestion) => boolean;

/** The suggested program of a mistake, or null if it has none that stands the recheck. */
export function suggestedProgram(
  source: SourceText,
  mended: Diagnostic,
  all: readonly Diagnostic[],
  recheck: Recheck,
): string | null {
  const edits = mended.edits;
  if (edits === undefined) return null;
  const program = applyEdits(source.text, edits);
  const others = all.filter((other) => other !== mended);
  return recheck({ program, edits, mended, others }) ? program : null;
}

/**
 * Whether `remaining`, the mistakes of the suggested program, are all known ones: the mended mistake
 * is gone and no new one is there (ERR-008).
 */
export function mends(suggestion: Suggestion, remaining: readonly Diagnostic[]): boolean {
  const known = new Map<string, number>();
  for (const other of suggestion.others) {
    const place = `${other.code} ${offsetAfter(suggestion.edits, other.span.start)}`;
    known.set(place, (known.get(place) ?? 0) + 1);
  }
  return remaining.every((found) => {
    const place = `${found.code} ${found.span.start}`;
    const left = known.get(place) ?? 0;
    known.set(place, left - 1);
    return left > 0;
  });
}
