import { type JsonObject, type ProgramError, visibleLines } from "@plasm/core";
import type { RunError } from "@plasm/runtime";
import type { StructuredResult } from "../answer.ts";
import { PROBLEMS, type ProblemCode } from "./problem-codes.ts";

/** One error inside a problem: of the program, or of a run (ERR-001). */
export interface ProblemError {
  readonly code: string;
  readonly message: string;
  readonly span: ProgramError["span"] | null;
  readonly snippet: string | null;
  readonly correction: string;
  readonly suggested_program: string | null;
  readonly node?: string;
  readonly row?: number | null;
  readonly retryable?: boolean;
  readonly request?: RunError["request"];
}

/** The error object of every surface (SURF-18). `text` alone suffices for a model (ERR-031). */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: ProblemCode;
  readonly retryable: boolean;
  readonly text: string;
  readonly errors: readonly ProblemError[];
  /** members of the answer's meta that an error carries, too (OPS-10) */
  readonly meta: JsonObject;
  /** what a failed run had in hand, all rows of it (ERR-031) */
  readonly results: readonly StructuredResult[];
  /** seconds to wait before a retry, if known */
  readonly retryAfter: number | null;
}

/** What a problem may have beside its code and text. */
export interface ProblemDetail {
  readonly errors?: readonly ProblemError[];
  readonly meta?: JsonObject;
  readonly results?: readonly StructuredResult[];
  readonly retryable?: boolean;
  readonly retryAfter?: number | null;
}

/**
 * Makes a problem from its code and text; status, title and type follow from the code. Whatever the text
 * repeats, nothing in it acts but its own line ends and TABs (SURF-13).
 */
export function problem(code: ProblemCode, text: string, detail: ProblemDetail = {}): Problem {
  const [status, title, retryable] = PROBLEMS[code];
  return {
    type: `urn:problem:${code}`,
    title,
    status,
    code,
    retryable: detail.retryable ?? retryable,
    text: visibleLines(text),
    errors: detail.errors ?? [],
    meta: detail.meta ?? {},
    results: detail.results ?? [],
    retryAfter: detail.retryAfter ?? null,
  };
}
