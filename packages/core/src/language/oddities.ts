import type { Diagnostic, Edit } from "../diagnostics/diagnostic.ts";
import { diagnose } from "../diagnostics/messages.ts";
import { textMessages } from "../diagnostics/text-messages.ts";
import type { Span } from "../source/span.ts";
import { clip } from "../text/clip.ts";
import { codePointName, isInvisible, pointLength, takesRoom } from "./characters.ts";
import { lineEnd, matchAt, skipBlanks } from "./scan.ts";
import type { Token, TokenMode } from "./token.ts";

/** What is needed to report a mistake between tokens. */
export interface Reporting {
  readonly text: string;
  span(start: number, end: number): Span;
  report(diagnostic: Diagnostic): void;
}

/**
 * Reports a token that is read as a blank: an invisible character, or a comment sign of another
 * language with its line. Answers where reading goes on, or null if the token is none of these.
 */
export function skipOddity(p: Reporting, token: Token, mode: TokenMode): number | null {
  if (token.type === "strange" && isInvisible(p.text, token.start)) {
    return skipInvisible(p, token.start);
  }
  const sign = commentSign(p.text, token, mode);
  if (sign === null) return null;
  reportCommentSign(p, token.start, sign);
  return lineEnd(p.text, token.start);
}

/** Reports `#`, `//` or `--` used as `;;` (LANG-004). */
export function reportCommentSign(p: Reporting, start: number, sign: string): void {
  const span = { start, end: start + sign.length };
  const args = { sign, point: codePointName(p.text, start) };
  const edits = [{ span, replacement: ";;" }];
  p.report(diagnose(textMessages.otherCommentSign, p.span(start, span.end), args, edits));
}

function skipInvisible(p: Reporting, start: number): number {
  let end = start;
  let replacement = "";
  while (end < p.text.length && !/[ \t\n]/.test(p.text[end] ?? "") && isInvisible(p.text, end)) {
    if (p.text.startsWith("\r\n", end)) break;
    if (takesRoom(p.text, end)) replacement = " ";
    end += pointLength(p.text, end);
  }
  const args = { point: codePointName(p.text, start) };
  const edits = [{ span: { start, end }, replacement }];
  p.report(diagnose(textMessages.strangeBlank, p.span(start, end), args, edits));
  return end;
}

function commentSign(text: string, token: Token, mode: TokenMode): string | null {
  const next = text[token.start + 1] ?? " ";
  if (token.type === "strange" && text[token.start] === "#") {
    return mode === "name" || /\s/.test(next) ? "#" : null;
  }
  if (token.type !== "sign" || mode !== "name") return null;
  const doubled = (token.text === "/" || token.text === "-") && next === token.text;
  return doubled ? token.text + next : null;
}

/**
 * Reports a single `;` (LANG-004) and answers where reading goes on: behind it if another statement
 * seems to follow, else behind its line, which is then a comment.
 */
export function skipSemicolon(p: Reporting, start: number): number {
  const rest = skipBlanks(p.text, start + 1, false);
  const last = rest === lineEnd(p.text, rest);
  const edits = last ? [{ span: { start, end: start + 1 }, replacement: "" }] : undefined;
  p.report(diagnose(textMessages.semicolon, p.span(start, start + 1), {}, edits));
  const statement = /[A-Za-z_]\w*[ \t]*(?:[=({[.~,]|;|\r?\n|$)/y;
  return matchAt(statement, p.text, rest) === null ? lineEnd(p.text, rest) : rest;
}

/** Reports a line that begins with a sign that only continues one (LANG-005). */
export function reportLineBegin(p: Reporting, lastEnd: number, next: number): void {
  const sign = p.text[next] ?? "";
  const edit = { span: { start: lastEnd, end: next }, replacement: "" };
  const args = { sign, joined: joinedLines(p.text, edit) };
  p.report(diagnose(textMessages.lineBegins, p.span(next, next + 1), args, [edit]));
}

/** Reports a statement that ends in a sign which needs more (LANG-005); the next line is joined to it. */
export function reportLineEnd(p: Reporting, lastEnd: number, next: number): void {
  const sign = signBefore(p.text, lastEnd);
  const edit = { span: { start: lastEnd, end: next }, replacement: sign === "." ? "" : " " };
  const args = { sign, joined: joinedLines(p.text, edit) };
  p.report(diagnose(textMessages.lineEnds, p.span(lastEnd - sign.length, lastEnd), args, [edit]));
}

/** Reports a statement that ends in a sign which needs more, where nothing follows that could be joined. */
export function reportTextEnd(p: Reporting, lastEnd: number, example: string): void {
  const sign = signBefore(p.text, lastEnd);
  const span = p.span(lastEnd - sign.length, lastEnd);
  p.report(diagnose(textMessages.textEnds, span, { sign, example }));
}

function signBefore(text: string, end: number): string {
  return text.slice(end - 2, end) === "=>" ? "=>" : text.slice(end - 1, end);
}

/** The two lines that an edit joins, as one. */
function joinedLines(text: string, edit: Edit): string {
  const start = text.lastIndexOf("\n", Math.max(0, edit.span.start - 1)) + 1;
  const end = lineEnd(text, edit.span.end);
  const before = text.slice(Math.max(start, edit.span.start - 200), edit.span.start);
  const after = text.slice(edit.span.end, Math.min(end, edit.span.end + 200));
  return clip(before.trimStart() + edit.replacement + after, 400);
}
