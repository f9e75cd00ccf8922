import { indexLines, snippet, type Span } from "@plasm/core";
import { runProblemError } from "../errors/classify.ts";
import type { ProblemError } from "../errors/problem.ts";
import type { ToldError } from "../errors/told-error.ts";

/** A run's error at the place of the expression that made its node (ERR-002). */
export function placed(program: string, span: Span | null, error: ToldError): ProblemError {
  if (span === null) return runProblemError(error, null);
  const source = { text: program, lines: indexLines(program) };
  return runProblemError(error, { span, snippet: snippet(source, span) });
}

/** An error with its place, what it says and its correction. */
export function errorText(error: ProblemError): string {
  const at = error.span === null ? "" : ` at ${error.span.line}:${error.span.column}`;
  const lines = [`error ${error.code}${at}`];
  if (error.snippet !== null) lines.push(error.snippet);
  lines.push(error.message, `fix: ${error.correction}`);
  return lines.join("\n");
}

/** Errors whose text an answer repeats (ERR-004). */
const SHOWN = 10;

/** The text of a failed run: node and code, effects, errors, results in hand (ERR-020, OPS-29). */
export function failureText(
  head: string,
  effectLines: readonly string[],
  errors: readonly ProblemError[],
  inHand: string | null,
): string {
  const more = errors.length - SHOWN;
  const told = [...errors.slice(0, SHOWN).map(errorText), ...(more > 0 ? [`${more} more`] : [])];
  return [
    head,
    ...effectLines,
    told.join("\n\n"),
    ...(inHand === null ? [] : [`results in hand:\n${inHand}`]),
  ].join("\n");
}

/** The same error, saying what may be repeated, too (ERR-020). */
export const advised = (error: ProblemError, advice: string | null): ProblemError =>
  advice === null ? error : { ...error, correction: `${error.correction}; ${advice}` };
