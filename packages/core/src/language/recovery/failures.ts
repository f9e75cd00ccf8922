import type { Edit } from "../../diagnostics/diagnostic.ts";
import { example } from "../../diagnostics/examples.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import { syntaxMessages } from "../../diagnostics/syntax-messages.ts";
import { textMessages } from "../../diagnostics/text-messages.ts";
import { clip } from "../../base/text.ts";
import { CLOSER, codePointName, plainCharacter } from "../grammar/characters.ts";
import { type BadHeredocToken, nearLine, scanString } from "../grammar/strings.ts";
import { OPERATORS } from "../grammar/operators.ts";
import type { OpenBracket, ParserState } from "../grammar/parser-state.ts";
import { lineEnd, matchAt } from "../grammar/limits.ts";
import type { StringToken, Token } from "../grammar/lexer.ts";

/** What may stand at a place, and one example (ERR-006). */
export interface Expectation {
  readonly what: string;
  readonly example: string;
}

/** Fails at the next token, which is none of those that may stand here, with the code that fits best. */
export function failHere(p: ParserState, expected: Expectation): void {
  if (p.dead) return;
  const token = p.peek("name");
  const bracket = p.open.at(-1);
  if (token.type === "end" || token.type === "newline") return failAtEnd(p, expected);
  if (token.type === "sign" && /^[)\]}]$/.test(token.text)) {
    if (bracket === undefined) return failExtraCloser(p, token);
    if (CLOSER[bracket.sign] !== token.text) return failCrossed(p, token, bracket);
  }
  if (bracket !== undefined && isUnclosed(p, bracket, token)) return failUnclosed(p, bracket);
  if (token.type === "sign" && token.text === ",") failExtraComma(p, token, expected);
  if (p.dead) return;
  if (token.type === "bad-heredoc") return failHeredoc(p, token);
  if (token.type === "string" && !token.closed) return failString(p, token);
  if (token.type === "strange") return failStrange(p, token);
  if (token.type === "sign" && /^[!&|]$/.test(token.text)) return failStrange(p, token);
  const args = {
    found: found(p, token),
    expected: expected.what,
    example: example(expected.example),
  };
  p.fail(diagnose(syntaxMessages.expected, p.span(token.start, token.end), args));
}

/** Whether the bracket is never closed and the token is on a later line or begins a step. */
function isUnclosed(p: ParserState, bracket: OpenBracket, token: Token): boolean {
  const onLaterLine = p.text.slice(p.lastEnd, token.start).includes("\n");
  const step = token.type === "sign" && (token.text === "." || token.text === "=>");
  return (onLaterLine || step) && !p.outline().closerOf.has(bracket.start);
}

/** Fails if what follows is on a later line, or is a step, and the innermost bracket is never closed. */
export function failIfUnclosed(p: ParserState): void {
  const bracket = p.open.at(-1);
  if (bracket !== undefined && isUnclosed(p, bracket, p.peek("name"))) failUnclosed(p, bracket);
}

const STEP_BEHIND = new RegExp(`\\.\\s*(?:${OPERATORS.join("|")})\\s*$`);

/** Fails if the text up to `end` ends in a step, `[id.limit(5)`, and the innermost bracket is never closed. */
export function failUnclosedStep(p: ParserState, end = p.lastEnd): void {
  const bracket = p.open.at(-1);
  if (bracket === undefined || !/[({]/.test(p.text[p.skip(end, false)] ?? "")) return;
  const step = STEP_BEHIND.exec(p.text.slice(Math.max(0, end - 40), end));
  if (step === null || p.outline().closerOf.has(bracket.start)) return;
  p.lastEnd = end - step[0].length;
  failUnclosed(p, bracket);
}

function failAtEnd(p: ParserState, expected: Expectation): void {
  const bracket = p.open.at(-1);
  if (bracket !== undefined) return failUnclosed(p, bracket);
  const args = { expected: expected.what, example: example(expected.example) };
  p.fail(diagnose(syntaxMessages.endsEarly, p.span(p.lastEnd, p.lastEnd), args));
}

function failUnclosed(p: ParserState, bracket: OpenBracket): void {
  const { closerOf } = p.outline();
  const last = p.open.findLastIndex(({ start }) => closerOf.has(start));
  const unclosed = p.open.slice(last + 1).toReversed();
  const closers = unclosed.map(({ sign }) => CLOSER[sign]).join("");
  const form = unclosed
    .slice(0, SHOWN_BRACKETS)
    .map(({ sign, start }) => `the ${sign} at ${place(p, start)} with ${CLOSER[sign]}`)
    .join(", ");
  const rest = unclosed.length - SHOWN_BRACKETS;
  const at = { start: p.lastEnd, end: p.lastEnd };
  const args = {
    open: bracket.sign,
    place: place(p, bracket.start),
    form: rest > 0 ? `${form}, +${rest}` : form,
  };
  const edits = [{ span: at, replacement: closers }];
  p.fail(diagnose(textMessages.missingCloser, p.span(at.start, at.end), args, edits));
}

const SHOWN_BRACKETS = 20;

/** A comma behind another one, or behind an opening bracket. */
function failExtraComma(p: ParserState, token: Token, expected: Expectation): void {
  if (!/[,([{]$/.test(p.text.slice(0, p.lastEnd))) return;
  const span = p.span(token.start, token.end);
  const args = { expected: expected.what, example: example(expected.example) };
  p.fail(diagnose(syntaxMessages.extraComma, span, args, [{ span, replacement: "" }]));
}

function failCrossed(p: ParserState, token: Token, bracket: OpenBracket): void {
  const close = CLOSER[bracket.sign];
  const args = {
    found: p.text.slice(token.start, token.end),
    open: bracket.sign,
    place: place(p, bracket.start),
    close,
  };
  const span = p.span(token.start, token.end);
  const closesOuter = closesOuterOne(p, token);
  const at = closesOuter ? { start: token.start, end: token.start } : span;
  const entry = closesOuter ? textMessages.crossedCloser : textMessages.wrongCloser;
  p.fail(diagnose(entry, span, args, [{ span: at, replacement: close }]));
}

/** Whether a closer that crosses the innermost bracket is needed for one around it. */
function closesOuterOne(p: ParserState, token: Token): boolean {
  const outer = p.open
    .slice(0, -1)
    .toReversed()
    .map(({ sign }) => CLOSER[sign]);
  if (!outer.some((close) => close === p.text[token.start])) return false;
  const behind = p.text.slice(token.end, token.end + 200).replace(/\s/g, "");
  return !behind.startsWith(outer.join(""));
}

function failExtraCloser(p: ParserState, token: Token): void {
  const args = { found: p.text.slice(token.start, token.end), place: place(p, token.start) };
  const edits = [{ span: { start: token.start, end: token.end }, replacement: "" }];
  p.fail(diagnose(textMessages.extraCloser, p.span(token.start, token.end), args, edits));
}

/** Fails at a string that its line does not close. */
export function failString(p: ParserState, token: StringToken): void {
  const quote = p.text[token.start] ?? '"';
  p.fail(diagnose(textMessages.unterminatedString, p.span(token.start, token.end), { quote }));
}

/** Fails at a character outside the grammar, outside values. */
function failStrange(p: ParserState, token: Token): void {
  const char = String.fromCodePoint(p.text.codePointAt(token.start) ?? 0);
  const point = codePointName(p.text, token.start);
  const span = { start: token.start, end: token.start + char.length };
  if (p.text.startsWith("```", token.start)) {
    return p.fail(
      diagnose(textMessages.fence, p.span(token.start, token.start + 3), { sign: "```" }),
    );
  }
  const plain = plainCharacter(char);
  const where = p.span(span.start, span.end);
  if (plain === null) {
    return p.fail(diagnose(textMessages.strangeCharOutside, where, { char, point }));
  }
  const edits = [{ span, replacement: plain }, ...fullWidthEdits(p, span.end)];
  p.fail(diagnose(textMessages.strangeChar, where, { char, point, plain }, edits));
}

/** Full-width characters come in pairs and rows: those on the rest of the line, outside strings, go with the first. */
function fullWidthEdits(p: ParserState, from: number): readonly Edit[] {
  if (!isFullWidth(p.text[from - 1])) return [];
  const edits: Edit[] = [];
  const end = lineEnd(p.text, from);
  for (let at = from; at < end;) {
    const char = p.text[at] ?? "";
    if (char === '"' || char === "'") {
      at = Math.max(at + 1, scanString(p.text, at).end);
      continue;
    }
    const replacement = isFullWidth(char) ? plainCharacter(char) : null;
    if (replacement !== null) edits.push({ span: { start: at, end: at + 1 }, replacement });
    at++;
  }
  return edits;
}

function isFullWidth(char: string | undefined): boolean {
  return char !== undefined && char >= "\uff01" && char <= "\uff5e";
}

/** Fails at `<<` that opens no heredoc, or at one that nothing closes (LANG-008). */
export function failHeredoc(p: ParserState, token: BadHeredocToken): void {
  const { tag, reason } = token;
  const opener = p.span(token.start, token.end);
  switch (reason) {
    case "tripled": {
      const raw = clip(p.text.slice(token.start, token.end), 40);
      const edits = [{ span: opener, replacement: `<<${tag}` }];
      const args = { raw, tag: tag === "" ? "TAG" : tag };
      return p.fail(
        diagnose(textMessages.heredocTripled, opener, args, tag === "" ? undefined : edits),
      );
    }
    case "no-tag":
      return p.fail(diagnose(textMessages.heredocNoTag, opener, {}));
    case "trailing": {
      const blanks = matchAt(/[ \t]*/y, p.text, token.end)?.[0].length ?? 0;
      const trailing = p.span(token.end + blanks, lineEnd(p.text, token.end));
      return p.fail(diagnose(textMessages.heredocTrailing, trailing, { tag }));
    }
    case "unterminated": {
      const closer =
        tag +
        p.open
          .toReversed()
          .map(({ sign }) => CLOSER[sign])
          .join("");
      const args = { tag, line: opener.line, closer, near: nearCloser(p, token) };
      return p.fail(diagnose(textMessages.unterminatedHeredoc, opener, args));
    }
  }
}

function nearCloser(p: ParserState, token: BadHeredocToken): string {
  const near = nearLine(p.heredocLines(), token.tag, token.end);
  if (near === undefined) return "";
  const line = p.span(near.start, near.start).line;
  const text = clip(token.tag + near.rest.trimEnd(), 60);
  return ` ; line ${line} has "${text}", which does not close it`;
}

const SHOWN_RUN = /[A-Za-z0-9_.:@/+-]{1,41}/y;

/** A token as a message shows it. */
export function found(p: ParserState, token: Token): string {
  if (token.type === "digits" || token.type === "run") {
    return clip(matchAt(SHOWN_RUN, p.text, token.start)?.[0] ?? "", 40);
  }
  if (token.type === "heredoc") return `<<${clip(token.tag, 40)}`;
  if (token.type === "newline") return "a new line";
  if (token.type === "end") return "the end";
  return clip(p.text.slice(token.start, token.end), 40);
}

/** A place as messages name it: `line:column`. */
function place(p: ParserState, at: number): string {
  const { line, column } = p.span(at, at);
  return `${line}:${column}`;
}
