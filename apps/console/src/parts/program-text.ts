import { parseProgram } from "@plasm/core/internal";
import { type Mistake, plainText } from "../api.ts";

/** As many as the server tells at once. */
const MOST = 10;

/**
 * What is wrong with a program as a text, as core reads it. What would be right is left to the server, which shows no
 * correction that does not plan in the session.
 */
export const textMistakes = (program: string): readonly Mistake[] =>
  parseProgram(program)
    .diagnostics.slice(0, MOST)
    .map(({ message, span }) => ({
      message: plainText(message),
      correction: "",
      line: span.line,
      start: span.start,
      end: span.end,
      fix: null,
    }));
