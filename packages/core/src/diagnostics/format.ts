import type { ErrorReport, ProgramError } from "./diagnostic.ts";

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
