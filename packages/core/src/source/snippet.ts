import type { SourceText } from "./source-text.ts";
import { withoutActing } from "../text/visible.ts";
import type { Span } from "./span.ts";

const WIDTH = 120;
const CUT = "…";
/** Code units on either side of a span that hold more code points than are shown. */
const REACH = 4 * WIDTH;

/**
 * The line of a span's start and, below it, blanks and carets (ERR-003): one `^` per code point,
 * at least one, at most to the line's end. A tab shows as one blank, any other character that acts as
 * U+FFFD; a line over 120 code points is cut around the span with `…`.
 */
export function snippet(source: SourceText, span: Span): string {
  const line = lineOf(source, span.line);
  const near = stretchAround(source.text, line, span.start);
  const points = Array.from(source.text.slice(near.start, near.end), shown);
  const from = countPoints(source.text, near.start, Math.min(span.start, near.end));
  const last = Math.min(span.end, line.end, span.start + REACH);
  const marked = Math.max(1, countPoints(source.text, span.start, last));
  const window = windowAround(points.length, from, marked);
  const head = window.start > 0 || near.start > line.start ? CUT : "";
  const tail = window.end < points.length || near.end < line.end ? CUT : "";
  const carets = Math.max(1, Math.min(marked, window.end - from));
  return [
    head + points.slice(window.start, window.end).join("") + tail,
    " ".repeat(from - window.start + head.length) + "^".repeat(carets),
  ].join("\n");
}

interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** As much of a line as can be shown: lines may be millions of characters long. */
function stretchAround(text: string, line: Stretch, at: number): Stretch {
  const start = Math.max(line.start, Math.min(at, line.end) - REACH);
  const end = Math.min(line.end, at + REACH);
  return {
    start: start > line.start && isLowHalf(text, start) ? start - 1 : start,
    end: end < line.end && isLowHalf(text, end) ? end + 1 : end,
  };
}

function isLowHalf(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}

function lineOf(source: SourceText, line: number): Stretch {
  const start = source.lines.lineStarts[line - 1] ?? 0;
  const next = source.lines.lineStarts[line];
  let end = next === undefined ? source.text.length : next - 1;
  if (next !== undefined && end > start && source.text.charCodeAt(end - 1) === 0x0d) end--;
  return { start, end };
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
  return point === "\t" ? " " : withoutActing(point);
}

function countPoints(text: string, start: number, end: number): number {
  return end <= start ? 0 : Array.from(text.slice(start, end)).length;
}
