import type { SourceText } from "../base/source.ts";
import type { Diagnostic, Edit } from "./diagnostic.ts";

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
  if (remaining.length > suggestion.others.length) return false;
  const shifted = offsetShift(suggestion.edits);
  const others = byPlace(suggestion.others);
  let at = 0;
  return byPlace(remaining).every(({ code, span }) => {
    const startOf = (index: number) => shifted(others[index]?.span.start ?? Infinity);
    while (startOf(at) < span.start) at++;
    for (let same = at; startOf(same) === span.start; same++) {
      if (others[same]?.code === code) return true;
    }
    return false;
  });
}

function byPlace(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.toSorted((a, b) => a.span.start - b.span.start);
}

/** The text with every edit applied; edits are disjoint. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const edit of inOrder(edits)) {
    parts.push(text.slice(at, edit.span.start), edit.replacement);
    at = edit.span.end;
  }
  parts.push(text.slice(at));
  return parts.join("");
}

/** Tells where offsets of the old text are in the edited one; inside a replaced stretch, its start. */
function offsetShift(edits: readonly Edit[]): (offset: number) => number {
  const sorted = inOrder(edits);
  return (offset) => {
    let shift = 0;
    for (const edit of sorted) {
      if (edit.span.start > offset) break;
      if (edit.span.end > offset) return edit.span.start + shift;
      shift += edit.replacement.length - (edit.span.end - edit.span.start);
    }
    return offset + shift;
  };
}

function inOrder(edits: readonly Edit[]): readonly Edit[] {
  return edits.toSorted((a, b) => a.span.start - b.span.start);
}
