import type { LineIndex } from "./line-index.ts";
import { indexLines, spanAt } from "./line-index.ts";
import type { Span } from "./span.ts";

/** A program as it was sent, with its line index. */
export interface SourceText {
  readonly text: string;
  readonly lines: LineIndex;
}

/** Indexes a text. */
export function sourceText(text: string): SourceText {
  return Object.freeze({ text, lines: indexLines(text) });
}

/** The span of `start`..`end` of a source (ERR-002). */
export function spanIn(source: SourceText, start: number, end: number): Span {
  return spanAt(source.lines, start, end);
}
