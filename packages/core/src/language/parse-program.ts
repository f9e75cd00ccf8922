import type { ProgramError } from "../diagnostics/diagnostic.ts";
import { reportErrors } from "../diagnostics/report.ts";
import type { Suggestion } from "../diagnostics/suggestion.ts";
import { mends } from "../diagnostics/suggestion.ts";
import type { Program } from "./ast.ts";
import { parse } from "./parse.ts";

/** A tree, and the errors to show of its text; `more` counts those beyond the first ten (ERR-004). */
export interface ProgramParse {
  readonly program: Program;
  readonly errors: readonly ProgramError[];
  readonly more: number;
}

/**
 * Reads a program and shows its mistakes of text and syntax; suggestions are read again as text
 * (ERR-008). Never throws. Who checks names, too, starts from `parse` and reports all mistakes at once.
 */
export function parseProgram(text: string): ProgramParse {
  const { source, program, diagnostics, more } = parse(text);
  const report = reportErrors(source, diagnostics, mendsText);
  return { program, errors: report.errors, more: report.more + more };
}

/** Whether a suggested program has no mistake of text or syntax that was not there before. */
function mendsText(suggestion: Suggestion): boolean {
  return mends(suggestion, parse(suggestion.program).diagnostics);
}
