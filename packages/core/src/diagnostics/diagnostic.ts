import type { Span, TextRange } from "../base/span.ts";
import { type ErrorCode, nameCodes, runCodes, textCodes } from "./codes.ts";
import type { ExampleWords } from "./examples.ts";

const CODES: ReadonlyMap<string, number> = new Map(
  [...textCodes, ...nameCodes, ...runCodes].map((code, at) => [code, at]),
);

/** So many mistakes are kept, far more than are shown or mended: a long program may have 100,000. */
const KEPT = 1_000;

const byStart = (a: Diagnostic, b: Diagnostic): number => a.span.start - b.span.start;

/**
 * Gathers the mistakes of one program; the same code at the same place counts once (ERR-005). All are counted,
 * the first thousand by place are kept.
 */
export class DiagnosticCollector {
  #found: Diagnostic[] = [];
  readonly #places = new Set<number>();
  /** nothing that starts behind it is kept */
  #last = Number.POSITIVE_INFINITY;

  add(diagnostic: Diagnostic): void {
    const place = diagnostic.span.start * CODES.size + (CODES.get(diagnostic.code) ?? 0);
    if (this.#places.has(place)) return;
    this.#places.add(place);
    if (diagnostic.span.start > this.#last) return;
    this.#found.push(diagnostic);
    if (this.#found.length < 2 * KEPT) return;
    this.#found = this.#found.toSorted(byStart).slice(0, KEPT);
    this.#last = this.#found.at(-1)?.span.start ?? this.#last;
  }

  /** How many mistakes there are. */
  get size(): number {
    return this.#places.size;
  }

  /** The first mistakes in the order of their start; of equal ones the first reported comes first. */
  sorted(): readonly Diagnostic[] {
    return this.#found.toSorted(byStart);
  }

  /** How many mistakes there are beyond the first ones. */
  get more(): number {
    return this.size - this.#found.length;
  }
}

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

/** One error in the text form of every surface (ERR-010), without a newline at its end. */
export function formatError(error: ProgramError): string {
  const lines = [
    `error ${error.code} at ${error.span.line}:${error.span.column}`,
    error.snippet,
    error.message,
    `fix: ${error.correction}`,
  ];
  if (error.suggestedProgram !== null) lines.push("try:", error.suggestedProgram);
  return lines.join("\n");
}

/** All errors of a report, separated by empty lines, then `n more` if some are not shown (ERR-004). */
export function formatErrors(report: ErrorReport): string {
  const parts = report.errors.map(formatError);
  if (report.more > 0) parts.push(`${report.more} more`);
  return parts.join("\n\n");
}
