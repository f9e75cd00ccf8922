import type { HeredocLines } from "./heredoc-lines.ts";
import { closingLine } from "./heredoc-lines.ts";
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
 * The offset in the program of an offset in a heredoc's body, so that errors inside templates point
 * into them (ERR-002). `start` is that of the node's span, `text` the program as sent.
 */
export function heredocOffset(text: string, start: number, bodyOffset: number): number {
  const openerEnd = lineEnd(text, start);
  const crlf = text.charCodeAt(openerEnd) === 0x0d;
  const bodyStart = nextLine(text, openerEnd);
  if (!crlf) return bodyStart + bodyOffset;
  let at = bodyStart;
  for (let left = bodyOffset; left > 0; left--) {
    at += text.charCodeAt(at) === 0x0d && text.charCodeAt(at + 1) === 0x0a ? 2 : 1;
  }
  return at;
}
