import type { SourceText } from "./source-text.ts";
import type { Span } from "./span.ts";

const WIDTH = 120;
const CUT = "…";

/**
 * The line of a span's start and, below it, blanks and carets (ERR-003): one `^` per code point,
 * at least one, at most to the line's end. A tab shows as one blank, any other control as U+FFFD;
 * a line over 120 code points is cut around the span with `…`.
 */
export function snippet(source: SourceText, span: Span): string {
  const line = lineOf(source, span.line);
  const points = Array.from(line.text, shown);
  const from = Math.min(span.column - 1, points.length);
  const marked = Math.max(1, countPoints(source.text, span.start, Math.min(span.end, line.end)));
  const window = windowAround(points.length, from, marked);
  const head = window.start > 0 ? CUT : "";
  const tail = window.end < points.length ? CUT : "";
  const carets = Math.max(1, Math.min(marked, window.end - from));
  return [
    head + points.slice(window.start, window.end).join("") + tail,
    " ".repeat(from - window.start + head.length) + "^".repeat(carets),
  ].join("\n");
}

function lineOf(source: SourceText, line: number): { readonly text: string; readonly end: number } {
  const start = source.lines.lineStarts[line - 1] ?? 0;
  const next = source.lines.lineStarts[line];
  let end = next === undefined ? source.text.length : next - 1;
  if (next !== undefined && end > start && source.text.charCodeAt(end - 1) === 0x0d) end--;
  return { text: source.text.slice(start, end), end };
}

function windowAround(
  length: number,
  from: number,
  marked: number,
): { start: number; end: number } {
  if (length <= WIDTH) return { start: 0, end: length };
  const room = WIDTH - 2 * CUT.length;
  const before = Math.max(0, Math.floor((room - Math.min(marked, room)) / 2));
  const start = Math.max(0, Math.min(from - before, length - room));
  return { start, end: Math.min(length, start + room) };
}

function shown(point: string): string {
  if (point === "\t") return " ";
  return /\p{Cc}/u.test(point) ? "\ufffd" : point;
}

function countPoints(text: string, start: number, end: number): number {
  return end <= start ? 0 : Array.from(text.slice(start, end)).length;
}
