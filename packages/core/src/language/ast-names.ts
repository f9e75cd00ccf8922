import type { Span } from "../source/span.ts";

/**
 * A name at a name position: an entity head, label, slot, column, step or method (TEACH-9).
 * Directly after a `.` it may hold inner hyphens; inside a path it may be an integer (a list index).
 */
export interface Name {
  readonly kind: "Name";
  readonly text: string;
  readonly span: Span;
}

/** Names joined by dots; never empty. */
export interface Path {
  readonly kind: "Path";
  readonly segments: readonly Name[];
  readonly span: Span;
}

/** A part of the program that is in error; the error has been reported (LANG section 3). */
export interface Bad {
  readonly kind: "Bad";
  readonly span: Span;
}
