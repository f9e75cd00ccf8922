import { diagnose } from "../../diagnostics/messages.ts";
import { syntaxMessages } from "../../diagnostics/syntax-messages.ts";
import { textMessages } from "../../diagnostics/text-messages.ts";
import { type Expectation, failHere, failString } from "../recovery/failures.ts";
import { isName } from "../recovery/value-run.ts";
import type { HeredocValue, Name, Path, PlaceholderValue, StringValue } from "./ast-values.ts";
import { codePointName } from "./characters.ts";
import type { DigitsToken, DollarToken, NameToken, RunToken, StringToken } from "./lexer.ts";
import { MAX_NAME } from "./limits.ts";
import type { ParserState } from "./parser-state.ts";
import { escapeOf, type HeredocToken } from "./strings.ts";

/** Takes a token as a Name; more than 128 characters are `too_large` (LANG-001). */
export function takeName(p: ParserState, token: NameToken | DigitsToken | RunToken): Name {
  p.take(token);
  const text = token.type === "run" ? token.raw : token.text;
  const span = p.span(token.start, token.end);
  if (text.length > MAX_NAME) {
    const args = { what: "The name", limit: `${MAX_NAME} characters`, actual: text.length };
    p.report(diagnose(textMessages.tooLarge, span, args));
  }
  return { kind: "Name", text, span };
}

/** Reads `NAME {"." (NAME | INT | STRING)}`; where none stands, fails and answers an empty name. */
export function parsePath(p: ParserState, expected: Expectation): Path {
  const first = p.peek("name");
  const segments = [parseColumnName(p, expected)];
  while (p.takeIf(".")) {
    const token = p.peek("dot");
    if (token.type === "name" || token.type === "digits") segments.push(takeName(p, token));
    else if (token.type === "string" && token.closed) segments.push(takeKey(p, token));
    else failHere(p, { what: "a name", example: "‹path›" });
  }
  return { kind: "Path", segments, span: p.spanFrom(first.start) };
}

/** A key of json in quotes, which may be any text (LANG-053). */
function takeKey(p: ParserState, token: StringToken): Name {
  const { text, span } = takeString(p, token);
  return { kind: "Name", text, quoted: true, span };
}

/** Reads a NAME; text in quotes where a name belongs is `syntax` with the bare name. */
function parseColumnName(p: ParserState, expected: Expectation): Name {
  const token = p.peek("name");
  if (token.type === "name") return takeName(p, token);
  if (token.type === "string" && token.closed && isName(token.value)) {
    // As in JSON, a colon may stand where `=` belongs: one mistake, one form.
    const next = p.skip(token.end, true);
    const end = p.text[next] === ":" ? p.skip(next + 1, true) : token.end;
    const replacement = end === token.end ? token.value : `${token.value}=`;
    const edits = [{ span: { start: token.start, end }, replacement }];
    const where = p.span(token.start, token.end);
    p.fail(diagnose(syntaxMessages.quotedName, where, { name: token.value }, edits));
  }
  failHere(p, expected);
  return { kind: "Name", text: "", span: p.span(token.start, token.start) };
}

/** Takes a string and reports what is wrong inside it. */
export function takeString(p: ParserState, token: StringToken): StringValue {
  if (!token.closed) failString(p, token);
  for (const problem of token.problems) {
    const raw = p.text.slice(problem.start, problem.end);
    const span = p.span(problem.start, problem.end);
    if (problem.kind === "control") {
      const args = { point: codePointName(p.text, problem.start), escape: escapeOf(raw) };
      const edits = [{ span, replacement: escapeOf(raw) }];
      p.report(diagnose(textMessages.controlInString, span, args, edits));
    } else if (problem.kind === "null") {
      p.report(diagnose(textMessages.nullEscape, span, { escape: raw, doubled: `\\${raw}` }));
    } else {
      const edits = [{ span, replacement: `\\${raw}` }];
      const args = { escape: raw, doubled: `\\${raw}` };
      p.report(diagnose(textMessages.badEscape, span, args, edits));
    }
  }
  p.take(token);
  return { kind: "StringValue", text: token.value, span: p.span(token.start, token.end) };
}

export function takeHeredoc(p: ParserState, token: HeredocToken): HeredocValue {
  p.take(token);
  const { start, end, tag, body } = token;
  return { kind: "HeredocValue", tag, text: body, span: p.span(start, end) };
}

/** Takes `$`; a name glued to it is no placeholder. */
export function takeDollar(p: ParserState, token: DollarToken): PlaceholderValue {
  const span = p.span(token.start, token.end);
  const glued = /^(?:\{[\w.]+\}|\w[\w.]*)/.exec(p.text.slice(token.end, token.end + 80))?.[0];
  if (glued !== undefined) {
    const name = glued.replace(/[{}]/g, "");
    const where = p.span(token.start, token.end + glued.length);
    p.fail(diagnose(syntaxMessages.dollarName, where, { found: `$${glued}`, name }));
  }
  p.take(token);
  return { kind: "PlaceholderValue", raw: "$", span };
}
