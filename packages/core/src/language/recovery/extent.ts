import {
  type BadHeredocToken,
  closingLine,
  type HeredocLines,
  scanHeredoc,
  scanString,
} from "../grammar/strings.ts";
import { lineEnd, newlineAt, skipBlanks } from "../grammar/limits.ts";

/**
 * The rough shape of a text: which brackets belong together and where statements may begin. It is made
 * only when something is in error, to tell what is unclosed and where reading goes on (ERR-004).
 */
export interface Outline {
  /** Offset of the closing bracket of each opening one that has one. */
  readonly closerOf: ReadonlyMap<number, number>;
  /** Offsets of opening brackets without a closing one, ascending. */
  readonly unclosed: readonly number[];
  /** Offsets at which a line begins outside heredocs and closed brackets, and may begin a statement. */
  readonly statementStarts: readonly number[];
  /** The deepest nesting of brackets. */
  readonly depth: number;
}

type Opening = "(" | "[" | "{";

const OPENING_OF: Readonly<Record<string, Opening>> = { ")": "(", "]": "[", "}": "{" };

/** Outlines a text in one pass. */
export function outline(text: string, heredocLines: () => HeredocLines): Outline {
  const brackets = new Brackets();
  const newlines: number[] = [];
  for (const mark of marks(text, heredocLines)) {
    if (mark.char === "\n") newlines.push(mark.at);
    else brackets.add(mark.char, mark.at);
  }
  return {
    closerOf: brackets.closerOf,
    unclosed: brackets.unclosed(),
    statementStarts: statementStarts(text, newlines, brackets.closerOf),
    depth: brackets.depth,
  };
}

/** Brackets and line ends outside strings, comments and heredocs. */
function* marks(
  text: string,
  heredocLines: () => HeredocLines,
): Generator<{ char: string; at: number }> {
  /** Per quote, the line end before which it is known to close nothing. */
  const openUntil: Record<string, number> = { '"': 0, "'": 0 };
  let at = 0;
  while (at < text.length) {
    const char = text[at] ?? "";
    if (char === ";" && text[at + 1] === ";") {
      at = lineEnd(text, at);
    } else if ((char === '"' || char === "'") && at >= (openUntil[char] ?? 0)) {
      const string = scanString(text, at);
      if (!string.closed) openUntil[char] = string.end;
      at = string.closed ? string.end : at + 1;
    } else if (char === "<" && text[at + 1] === "<") {
      const heredoc = scanHeredoc(text, at, heredocLines());
      if (heredoc.type === "bad-heredoc" && heredoc.reason === "unterminated") return;
      at =
        heredoc.type === "heredoc" ? heredoc.end : behindBadHeredoc(text, heredoc, heredocLines());
    } else {
      if (char === "\n" || "()[]{}".includes(char)) yield { char, at };
      at++;
    }
  }
}

/**
 * Behind the body that a faulty opener meant: that of the last opener on the line, or its own, as far as
 * lines close them; else behind the opener, or behind its line if text follows it there.
 */
function behindBadHeredoc(text: string, opener: BadHeredocToken, lines: HeredocLines): number {
  if (opener.reason !== "trailing") {
    const closer = closingLine(lines, opener.tag, opener.end);
    return closer === undefined ? opener.end : closer.start + opener.tag.length;
  }
  const end = lineEnd(text, opener.end);
  const last = /<<([A-Za-z_][A-Za-z0-9_]*)[ \t]*$/.exec(
    text.slice(Math.max(opener.end, end - 200), end),
  );
  for (const tag of [last?.[1] ?? opener.tag, opener.tag]) {
    const closer = closingLine(lines, tag, end);
    if (closer !== undefined) return closer.start + tag.length;
  }
  return end;
}

/** Matches brackets; a closing one that fits an outer opening one leaves those between unclosed. */
class Brackets {
  readonly closerOf = new Map<number, number>();
  depth = 0;
  readonly #open: { char: Opening; at: number }[] = [];
  readonly #count: Record<Opening, number> = { "(": 0, "[": 0, "{": 0 };
  readonly #left: number[] = [];

  add(char: string, at: number): void {
    const wanted = OPENING_OF[char];
    if (wanted === undefined) {
      const opening = char as Opening;
      this.#open.push({ char: opening, at });
      this.#count[opening]++;
      this.depth = Math.max(this.depth, this.#open.length);
      return;
    }
    if (this.#count[wanted] === 0) return;
    for (;;) {
      const top = this.#open.pop();
      if (top === undefined) return;
      this.#count[top.char]--;
      if (top.char === wanted) {
        this.closerOf.set(top.at, at);
        return;
      }
      this.#left.push(top.at);
    }
  }

  unclosed(): readonly number[] {
    return [...this.#left, ...this.#open.map(({ at }) => at)].toSorted((a, b) => a - b);
  }
}

function statementStarts(
  text: string,
  newlines: readonly number[],
  closerOf: ReadonlyMap<number, number>,
): readonly number[] {
  const openings = [...closerOf.keys()].toSorted((a, b) => a - b);
  const starts: number[] = [];
  let next = 0;
  let closed = -1;
  for (const newline of newlines) {
    for (; (openings[next] ?? Infinity) < newline; next++) {
      closed = Math.max(closed, closerOf.get(openings[next] ?? 0) ?? -1);
    }
    const start = newline + 1;
    if (newline > closed && beginsStatement(text, start)) starts.push(start);
  }
  return starts;
}

/** Whether a line has text, and text that does not continue the line above (LANG-005). */
function beginsStatement(text: string, lineStart: number): boolean {
  const at = skipBlanks(text, lineStart, false);
  if (at >= text.length || newlineAt(text, at) > 0) return false;
  return !".,[{(".includes(text[at] ?? "") && !text.startsWith("=>", at);
}

/**
 * Where reading goes on after a mistake at `from` in the statement that began at `start`: at the next
 * line that may begin a statement. If the statement has an unclosed bracket, indented lines and lines
 * after a comma or an opening bracket belong to it.
 */
export function nextStatement(text: string, shape: Outline, start: number, from: number): number {
  const { statementStarts: starts, unclosed } = shape;
  for (let index = firstAbove(starts, from); index < starts.length; index++) {
    const at = starts[index] ?? text.length;
    const open = unclosed[firstAbove(unclosed, start - 1)];
    if (open === undefined || open >= at) return at;
    if (!/[ \t)\]}]/.test(text[at] ?? "") && !endsOpen(text, at)) return at;
  }
  return text.length;
}

/** Whether the text before a line ends in a sign that something must follow. */
function endsOpen(text: string, lineStart: number): boolean {
  let at = lineStart - 1;
  while (at > 0 && /[ \t\r\n]/.test(text[at] ?? "")) at--;
  return ",=([{.".includes(text[at] ?? " ");
}

function firstAbove(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Where unquoted text ends that begins at `start`: before the next `,` or closing bracket outside
 * brackets of its own, a comment or the line end, without blanks at its end (LANG-007).
 */
export function stretchEnd(text: string, start: number): number {
  const open: string[] = [];
  let at = start;
  for (; at < text.length; at++) {
    const char = text[at] ?? "";
    if (char === "\n" || (char === ";" && text[at + 1] === ";")) break;
    if (open.length === 0 && char === ",") break;
    const closer = CLOSER[char];
    if (closer !== undefined) open.push(closer);
    else if (")]}".includes(char) && open.pop() !== char) break;
  }
  return trimEnd(text, start, at);
}

const CLOSER: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/**
 * Where unquoted search text ends: as {@link stretchEnd}, but also before any bracket, `=>` or `<<`, and
 * before the step whose `(` ends it.
 */
export function searchStretchEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && !/[,()[\]{}\n;]/.test(text[at] ?? "") && !opensBody(text, at)) at++;
  if (text[at] === "(") {
    const step = /(?<![ \t])[ \t]*\.[ \t]*[A-Za-z_][A-Za-z0-9_]*[ \t]*$/.exec(
      text.slice(Math.max(start, at - 200), at),
    );
    if (step !== null && at - step[0].length > start) at -= step[0].length;
  }
  return trimEnd(text, start, at);
}

function opensBody(text: string, at: number): boolean {
  return text.startsWith("=>", at) || text.startsWith("<<", at);
}

function trimEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && /[ \t\r]/.test(text[at - 1] ?? "")) at--;
  return at;
}
