import type { Edit } from "./diagnostic.ts";

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
export function offsetShift(edits: readonly Edit[]): (offset: number) => number {
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
