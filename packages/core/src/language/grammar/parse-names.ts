import { diagnose } from "../../diagnostics/messages.ts";
import { syntaxMessages } from "../../diagnostics/syntax-messages.ts";
import { textMessages } from "../../diagnostics/text-messages.ts";
import type { Name, Path } from "./ast-values.ts";
import { type Expectation, failHere } from "../recovery/failures.ts";
import { MAX_NAME } from "./limits.ts";
import type { ParserState } from "./parser-state.ts";
import type { DigitsToken, NameToken, RunToken, StringToken } from "./lexer.ts";
import { takeString } from "./take-string.ts";
import { isName } from "../recovery/value-run.ts";

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
