import { matchAt, nextLine } from "./scan.ts";

/** A line that begins with a tag. */
export interface TagLine {
  /** Offset of the tag. */
  readonly start: number;
  /** What follows the tag on its line. */
  readonly rest: string;
}

interface TagLines {
  readonly closing: TagLine[];
  readonly near: TagLine[];
}

/** Which lines of a text close a heredoc of a given tag, and which only nearly do (LANG-008). */
export type HeredocLines = ReadonlyMap<string, TagLines>;

const FIRST_NAME = /[ \t]*([A-Za-z_][A-Za-z0-9_]*)([^\n]*)/y;
const ONLY_CLOSERS = /^[)\]},\t ]*$/;
const GLUED_CLOSER = /^[)\]}]/;

/** Indexes every line that begins with a name, in one pass, so that no heredoc searches by itself. */
export function indexHeredocLines(text: string): HeredocLines {
  const lines = new Map<string, TagLines>();
  for (let at = 0; at < text.length; at = nextLine(text, at)) {
    const found = matchAt(FIRST_NAME, text, at);
    const tag = found?.[1];
    if (found === null || tag === undefined) continue;
    const rest = (found[2] ?? "").replace(/\r$/, "");
    const line = { start: at + found[0].indexOf(tag), rest };
    const known = lines.get(tag) ?? { closing: [], near: [] };
    lines.set(tag, known);
    (ONLY_CLOSERS.test(rest) || GLUED_CLOSER.test(rest) ? known.closing : known.near).push(line);
  }
  return lines;
}

/** The first line at or after an offset that closes a heredoc of this tag. */
export function closingLine(lines: HeredocLines, tag: string, from: number): TagLine | undefined {
  return firstFrom(lines.get(tag)?.closing ?? [], from);
}

/** The first line at or after an offset that begins with the tag but does not close it. */
export function nearLine(lines: HeredocLines, tag: string, from: number): TagLine | undefined {
  return firstFrom(lines.get(tag)?.near ?? [], from);
}

function firstFrom(lines: readonly TagLine[], from: number): TagLine | undefined {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((lines[middle]?.start ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return lines[low];
}
