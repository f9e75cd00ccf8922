import type { ErrorCode } from "../src/diagnostics/codes.ts";
import type { Exposure } from "../src/symbols/exposure.ts";
import { errorsOf } from "./plan-of.ts";

/** An error as tables write it. */
export interface Said {
  readonly code: ErrorCode;
  /** the text the span covers */
  readonly marks: string;
  readonly message: string;
  readonly correction: string;
  /** the program it suggests, null for none */
  readonly suggests: string | null;
}

/** All errors of a program, in their order; throws if it has none. */
export function saidOf(program: string, exposure: Exposure): readonly Said[] {
  return errorsOf(program, exposure).map((error) => ({
    code: error.code,
    marks: program.slice(error.span.start, error.span.end),
    message: error.message,
    correction: error.correction,
    suggests: error.suggestedProgram ?? null,
  }));
}

/** A row of a table: program, code, marked text, message, correction, and what it suggests. */
export type SaidRow = [
  program: string,
  code: ErrorCode,
  marks: string,
  message: string,
  correction: string,
  suggests?: string,
];

/** The only error that a row of a table states. */
export function statedBy([, code, marks, message, correction, suggests]: SaidRow): readonly Said[] {
  return [{ code, marks, message, correction, suggests: suggests ?? null }];
}
