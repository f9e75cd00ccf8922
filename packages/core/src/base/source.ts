import type { Span } from "./span.ts";
import { countBelow, withoutActing } from "./text.ts";

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

/**
 * The line starts and surrogate pairs of one text, so that any offset becomes a line and a column
 * in logarithmic time, however long the lines are.
 */
export interface LineIndex {
  /** Length of the text in UTF-16 code units. */
  readonly length: number;
  /** Offset at which each line starts; the first is 0. Lines end with LF. */
  readonly lineStarts: readonly number[];
  /** Offset of each surrogate pair. */
  readonly pairs: readonly number[];
}

/** Indexes a text once, in linear time. */
export function indexLines(text: string): LineIndex {
  const lineStarts = [0];
  const pairs: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0x0a) lineStarts.push(at + 1);
    else if (unit >= 0xd800 && unit <= 0xdbff && isLowSurrogate(text.charCodeAt(at + 1))) {
      pairs.push(at);
      at++;
    }
  }
  return Object.freeze({ length: text.length, lineStarts, pairs });
}

/** The span of `start`..`end`, both clamped to the text (ERR-002). */
export function spanAt(index: LineIndex, start: number, end: number): Span {
  const from = Math.min(Math.max(start, 0), index.length);
  const to = Math.min(Math.max(end, from), index.length);
  const line = countUpTo(index.lineStarts, from);
  const lineStart = index.lineStarts[line - 1] ?? 0;
  const pairsBefore = countBelow(index.pairs, from) - countBelow(index.pairs, lineStart);
  return { start: from, end: to, line, column: from - lineStart - pairsBefore + 1 };
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** How many of the ascending numbers are at most `limit`. */
function countUpTo(sorted: readonly number[], limit: number): number {
  return countBelow(sorted, limit + 1);
}

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
