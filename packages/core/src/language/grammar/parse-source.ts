import { clip } from "../../base/text.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import { textMessages } from "../../diagnostics/text-messages.ts";
import { searchStretchEnd } from "../recovery/extent.ts";
import { type Expectation, failHere, failHeredoc } from "../recovery/failures.ts";
import type { Name, SearchText } from "./ast-values.ts";
import type { Source } from "./ast.ts";
import { strangeQuotedEnd } from "./characters.ts";
import type { RunToken } from "./lexer.ts";
import { OPERATORS } from "./operators.ts";
import { parsePreds } from "./parse-conditions.ts";
import { takeDollar, takeHeredoc, takeName, takeString } from "./parse-names.ts";
import { reportStrangeText, takeRun } from "./parse-run.ts";
import { parseArgs } from "./parse-values.ts";
import type { ParserState } from "./parser-state.ts";
import { quoteText } from "./strings.ts";

const A_TEXT: Expectation = { what: "the text to search for", example: "‹search›" };

/** Reads a source: a name, alone or with a key, conditions or a search (LANG section 2). */
export function parseSource(p: ParserState, expected: Expectation): Source {
  const token = p.peek("name");
  if (token.type !== "name") {
    failHere(p, expected);
    return { kind: "Bad", span: p.span(token.start, token.end) };
  }
  const name = takeName(p, token);
  if (p.at("("))
    return { kind: "KeySource", name, args: parseArgs(p), span: p.spanFrom(token.start) };
  if (p.at("{"))
    return { kind: "BraceSource", name, pred: parsePreds(p), span: p.spanFrom(token.start) };
  if (p.takeIf("~")) return parseSearch(p, name);
  return { kind: "NameSource", name, span: p.spanFrom(token.start) };
}

function parseSearch(p: ParserState, name: Name): Source {
  const text = parseSearchText(p);
  if (!p.at("{")) return { kind: "SearchSource", name, text, span: p.spanFrom(name.span.start) };
  const pred = parsePreds(p);
  return { kind: "SearchSource", name, text, pred, span: p.spanFrom(name.span.start) };
}

function parseSearchText(p: ParserState): SearchText {
  const token = p.peek("value");
  switch (token.type) {
    case "string":
      return takeString(p, token);
    case "heredoc":
      return takeHeredoc(p, token);
    case "bad-heredoc":
      failHeredoc(p, token);
      break;
    case "dollar":
      return takeDollar(p, token);
    case "run":
      return parseSearchRun(p, token);
    case "strange": {
      const quoted = strangeQuotedEnd(p.text, token.start);
      const end = quoted ?? Math.max(searchStretchEnd(p.text, token.start), token.end);
      return reportStrangeText(p, token.start, token.start, end);
    }
    default:
      failHere(p, A_TEXT);
  }
  return { kind: "Bad", span: p.span(token.start, token.end) };
}

function parseSearchRun(p: ParserState, token: RunToken): SearchText {
  const { raw, kind } = token;
  const next = p.skip(token.end, false);
  if ((kind === "word" || kind === "other") && raw.includes(".")) {
    const head = raw.slice(0, raw.indexOf("."));
    if (p.text[next] === "(") return failDotted(p, token, head, true);
    if (kind === "word" && head !== "_" && !p.labels.has(head))
      return failDotted(p, token, head, false);
  }
  const value = takeRun(p, token, "search", false);
  switch (value.kind) {
    case "NumberValue":
    case "WordValue":
    case "PlaceholderValue":
    case "Bad":
      return value;
    case "BoolValue":
    case "NullValue":
      return { kind: "WordValue", raw, span: value.span };
    default: {
      const edits = [{ span: value.span, replacement: quoteText(raw) }];
      p.report(diagnose(textMessages.unquotedText, value.span, { quoted: quoteText(raw) }, edits));
      return { kind: "Bad", span: value.span };
    }
  }
}

/** A dotted word is neither a reference nor two words kept apart (LANG-017). */
function failDotted(p: ParserState, token: RunToken, head: string, called: boolean): SearchText {
  const span = p.span(token.start, token.end);
  const raw = clip(token.raw, 60);
  if (called) {
    const last = token.raw.lastIndexOf(".");
    const word = quoteText(token.raw.slice(0, last));
    const at = { start: token.start, end: token.start + last };
    const split = clip(`${word}${token.raw.slice(last)}(…)`, 80);
    const edits = [{ span: at, replacement: word }];
    p.report(diagnose(textMessages.searchBeforeCall, span, { raw, split }, edits));
    p.pos = at.end;
    p.lastEnd = at.end;
    // Whether the entity has such a method is another question, asked of the mended text.
    if (!OPERATORS.includes(token.raw.slice(last + 1))) p.dead = true;
  } else {
    const split = clip(`${quoteText(head)}${token.raw.slice(head.length)}`, 80);
    const args = { raw, head: clip(head, 60), split, whole: clip(quoteText(token.raw), 80) };
    p.report(diagnose(textMessages.dottedSearch, span, args));
    p.take(token);
  }
  return { kind: "Bad", span };
}
