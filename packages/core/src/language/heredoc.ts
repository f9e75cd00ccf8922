import type { HeredocLines } from "./heredoc-lines.ts";
import { closingLine } from "./heredoc-lines.ts";
import { countBelow } from "../text/count-below.ts";
import { lineEnd, matchAt, newlineAt, nextLine } from "./scan.ts";

/** A heredoc as read: the token ends behind the closing tag, what follows it returns to the parser. */
export interface HeredocToken {
  readonly type: "heredoc";
  readonly start: number;
  readonly end: number;
  readonly tag: string;
  readonly body: string;
}

/** `<<` that opens no heredoc, or one that nothing closes; the token is the opener alone. */
export interface BadHeredocToken {
  readonly type: "bad-heredoc";
  readonly start: number;
  readonly end: number;
  readonly reason: "tripled" | "no-tag" | "trailing" | "unterminated";
  readonly tag: string;
}

const OPENER = /<<(<*)([A-Za-z_][A-Za-z0-9_]*)?/y;
const BLANKS = /[ \t]*/y;

/** Reads the heredoc whose `<<` is at `start` (LANG-008). */
export function scanHeredoc(
  text: string,
  start: number,
  lines: HeredocLines,
): HeredocToken | BadHeredocToken {
  const opener = matchAt(OPENER, text, start);
  const openerEnd = start + (opener?.[0].length ?? 2);
  const tag = opener?.[2] ?? "";
  const bad = (reason: BadHeredocToken["reason"]): BadHeredocToken => {
    return { type: "bad-heredoc", start, end: openerEnd, reason, tag };
  };
  if (opener?.[1] !== "") return bad("tripled");
  if (tag === "") return bad("no-tag");
  const lineEnds = openerEnd + (matchAt(BLANKS, text, openerEnd)?.[0].length ?? 0);
  if (lineEnds === text.length) return bad("unterminated");
  const newline = newlineAt(text, lineEnds);
  if (newline === 0) return bad("trailing");
  const bodyStart = lineEnds + newline;
  const closer = closingLine(lines, tag, bodyStart);
  if (closer === undefined) return bad("unterminated");
  const body = bodyOf(text, bodyStart, closer.start, newline === 2);
  return { type: "heredoc", start, end: closer.start + tag.length, tag, body };
}

/** The lines before the closing one, without the last line end; LF for CRLF where the opener has CRLF. */
function bodyOf(text: string, start: number, closerTag: number, crlf: boolean): string {
  const closerLine = text.lastIndexOf("\n", closerTag) + 1;
  if (closerLine <= start) return "";
  const lastEnd = closerLine - 1;
  const end = lastEnd > start && text[lastEnd - 1] === "\r" ? lastEnd - 1 : lastEnd;
  const raw = text.slice(start, end);
  return crlf ? raw.replaceAll("\r\n", "\n") : raw;
}

/**
 * Leads offsets of a heredoc's body back into the program, so that errors inside templates point into
 * them (ERR-002). `start` is that of the node's span, `text` the program as sent; linear once, then
 * logarithmic for each offset.
 */
export function heredocOffsets(
  text: string,
  start: number,
  body: string,
): (bodyOffset: number) => number {
  const openerEnd = lineEnd(text, start);
  const bodyStart = nextLine(text, openerEnd);
  if (text.charCodeAt(openerEnd) !== 0x0d) return (bodyOffset) => bodyStart + bodyOffset;
  // Offsets of the body whose LF was CRLF in the program.
  const shortened: number[] = [];
  for (let at = body.indexOf("\n"); at >= 0; at = body.indexOf("\n", at + 1)) {
    if (text.charCodeAt(bodyStart + at + shortened.length) === 0x0d) shortened.push(at);
  }
  return (bodyOffset) => bodyStart + bodyOffset + countBelow(shortened, bodyOffset);
}
