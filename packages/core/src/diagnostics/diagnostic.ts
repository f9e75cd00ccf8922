import type { Span, TextRange } from "../source/span.ts";
import type { ErrorCode } from "./codes.ts";
import type { ExampleWords } from "./examples.ts";

/** Replace one stretch of the program. */
export interface Edit {
  readonly span: TextRange;
  readonly replacement: string;
}

/**
 * One mistake as a checker reports it: its texts and edits may be made when they are first asked for, snippet
 * and suggested program are made when the error is shown. `edits`, if any, are the one sensible fix of the
 * whole program (ERR-008): ascending and disjoint.
 */
export interface Diagnostic {
  readonly code: ErrorCode;
  readonly span: Span;
  readonly message: string;
  readonly correction: string;
  /** the same with examples of a session in place of metavariables */
  readonly correctionIn?: (words: ExampleWords) => string;
  readonly edits?: readonly Edit[] | undefined;
  /** the correction where neither the edits nor an offer mends; without it the plain one, its "use ‹name›" left out */
  readonly instead?: string | undefined;
  /** corrections that show code, best first: the first is shown whose program plans in the session */
  readonly offers?: readonly Offer[] | undefined;
}

/** A correction with the program that it leads to. */
export interface Offer {
  readonly correction: string;
  readonly program: string;
}

/** The error object of a program (ERR-001). */
export interface ProgramError {
  readonly code: ErrorCode;
  /** What is wrong, in one sentence. */
  readonly message: string;
  readonly span: Span;
  readonly snippet: string;
  /** What to do. */
  readonly correction: string;
  /** The whole program with this one error mended, or null. */
  readonly suggestedProgram: string | null;
}

/** The errors shown of a program: the first ten by place, and how many more there are (ERR-004). */
export interface ErrorReport {
  readonly errors: readonly ProgramError[];
  readonly more: number;
}
