import type { Diagnostic, Edit } from "../../diagnostics/diagnostic.ts";
import { example } from "../../diagnostics/examples.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import { textMessages } from "../../diagnostics/text-messages.ts";
import type { Span } from "../../base/span.ts";
import { clip } from "../../base/text.ts";
import { codePointName, isInvisible, pointLength, takesRoom } from "../grammar/characters.ts";
import { lineEnd, matchAt, newlineAt, skipBlanks } from "../grammar/limits.ts";
import type { Token, TokenMode } from "../grammar/lexer.ts";

/** What is needed to report a mistake between tokens. */
export interface Reporting {
  readonly text: string;
  span(start: number, end: number): Span;
  report(diagnostic: Diagnostic): void;
  /** Reports a mistake after which the statement cannot be read. */
  fail(diagnostic: Diagnostic): void;
  /** The closer of the innermost open bracket, if it stands between two offsets. */
  closerWithin(start: number, end: number): string | null;
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

/**
 * Reports `#`, `//` or `--` used as `;;` (LANG-004). If a bracket closes behind it on the same line, the
 * comment would take the closer with it: then nothing more can be read.
 */
export function reportCommentSign(p: Reporting, start: number, sign: string): void {
  const edit = { start, end: start + sign.length };
  const span = p.span(start, edit.end);
  const args = { sign, point: codePointName(p.text, start) };
  const close = p.closerWithin(start, lineEnd(p.text, start));
  if (close !== null) {
    return p.fail(diagnose(textMessages.commentedCloser, span, { ...args, close }));
  }
  p.report(
    diagnose(textMessages.otherCommentSign, span, args, [{ span: edit, replacement: ";;" }]),
  );
}

/** What ends lines elsewhere: a lone CR, NEL, LS and PS. */
const LINE_SEPARATOR = /[\r\u0085\u2028\u2029]/;

/** Whether the character at an offset ends lines elsewhere, but not here (LANG-002). */
export function isLineSeparator(text: string, at: number): boolean {
  return LINE_SEPARATOR.test(text[at] ?? "") && newlineAt(text, at) === 0;
}

function skipInvisible(p: Reporting, start: number): number {
  let end = start;
  let replacement = "";
  while (end < p.text.length && !/[ \t\n]/.test(p.text[end] ?? "") && isInvisible(p.text, end)) {
    if (p.text.startsWith("\r\n", end)) break;
    if (takesRoom(p.text, end)) replacement = " ";
    end += pointLength(p.text, end);
  }
  const line = LINE_SEPARATOR.test(p.text[start] ?? "");
  const args = { point: codePointName(p.text, start) };
  const edits = [{ span: { start, end }, replacement: line ? "\n" : replacement }];
  const room = replacement === "" ? textMessages.noBlank : textMessages.strangeBlank;
  const entry = line ? textMessages.strangeLineEnd : room;
  p.report(diagnose(entry, p.span(start, end), args, edits));
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

const STATEMENT = /[A-Za-z_]\w*[ \t]*(?:[=({[.~,]|;|\r?\n|$)/y;

/**
 * Reports a single `;` (LANG-004) and answers where reading goes on: behind it if another statement
 * seems to follow, else behind its line, which is then a comment.
 */
export function skipSemicolon(p: Reporting, start: number): number {
  const rest = skipBlanks(p.text, start + 1, false);
  const span = p.span(start, start + 1);
  if (rest === p.text.length || newlineAt(p.text, rest) > 0) {
    const edits = [{ span: { start, end: start + 1 }, replacement: "" }];
    p.report(diagnose(textMessages.semicolon, span, {}, edits));
    return rest;
  }
  const statement = matchAt(STATEMENT, p.text, rest) !== null;
  const begins = /(?:^|\n)[ \t]*$/.test(p.text.slice(Math.max(0, start - 100), start));
  const between = begins ? textMessages.semicolon : textMessages.semicolonBetween;
  const entry = statement ? between : textMessages.semicolonComment;
  const edits = statement
    ? [{ span: { start, end: rest }, replacement: begins ? "" : "\n" }]
    : [{ span: { start, end: start + 1 }, replacement: ";;" }];
  p.report(diagnose(entry, span, {}, edits));
  return statement ? rest : lineEnd(p.text, rest);
}

/** Reports a single `;` between items, where a comma belongs (LANG-004). */
export function reportSemicolonItem(p: Reporting, start: number): void {
  const span = { start, end: start + 1 };
  const edits = [{ span, replacement: "," }];
  p.report(diagnose(textMessages.semicolonItem, p.span(start, span.end), {}, edits));
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
export function reportTextEnd(p: Reporting, lastEnd: number, form: string): void {
  const sign = signBefore(p.text, lastEnd);
  const span = p.span(lastEnd - sign.length, lastEnd);
  if (sign === ",") {
    return p.report(diagnose(textMessages.commaEnds, span, {}, [{ span, replacement: "" }]));
  }
  p.report(diagnose(textMessages.textEnds, span, { sign, example: example(form) }));
}

function signBefore(text: string, end: number): string {
  return text.slice(end - 2, end) === "=>" ? "=>" : text.slice(end - 1, end);
}

const SHOWN = 200;

/** The two lines that an edit joins, as one. */
function joinedLines(text: string, edit: Edit): string {
  const before = text.slice(Math.max(0, edit.span.start - SHOWN), edit.span.start);
  const after = text.slice(edit.span.end, edit.span.end + SHOWN);
  const first = before.slice(before.lastIndexOf("\n", before.length - 1) + 1).trimStart();
  return clip(first + edit.replacement + after.slice(0, lineEnd(after, 0)), 400);
}
