import { indexLines, type LineIndex, spanAt } from "../../source/line-index.ts";
import { spanIn } from "../../source/source-text.ts";
import type { Span, TextRange } from "../../source/span.ts";
import type { Template } from "../../language/ast.ts";
import { heredocOffsets } from "../../language/heredoc.ts";
import type { CheckContext } from "../check-context.ts";

/** The body of a template, with the way back from its offsets to the program (ERR-002, LANG-081). */
export interface TemplateText {
  readonly body: string;
  /** where a stretch of the body stands in the program */
  span(range: TextRange): Span;
  /** a place of the body in words: its line and column in the template */
  place(offset: number): string;
}

export function templateText(context: CheckContext, { body, span }: Template): TemplateText {
  const { source } = context;
  const offset = heredocOffsets(source.text, span.start, body);
  let lines: LineIndex | null = null;
  return {
    body,
    span: ({ start, end }) => spanIn(source, offset(start), offset(end)),
    place(at) {
      lines ??= indexLines(body);
      const { line, column } = spanAt(lines, at, at);
      return `line ${line}, column ${column} of the template`;
    },
  };
}
