import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import { nameMessages } from "../../diagnostics/name-messages.ts";
import type { Span } from "../../source/span.ts";

/** `_` outside the body of a `=>` (LANG-071); `cell` is it with its path. */
export function cursorProblem(span: Span, cell: string): Diagnostic {
  const form = `bind the rows, then write what is made per row: a => {x: ${cell}}`;
  return diagnose(nameMessages.noCursor, span, { form });
}
