import { diagnose } from "../../diagnostics/messages.ts";
import { textMessages } from "../../diagnostics/text-messages.ts";
import { clip } from "../../base/text.ts";
import type { Bad, Value } from "./ast-values.ts";
import { codePointName, isStrangeQuote, plainCharacter } from "./characters.ts";
import { isDate, shiftedDate } from "./date-literal.ts";
import { reportCommentSign } from "../recovery/lexical.ts";
import { pairAhead, type Place } from "../recovery/brackets.ts";
import type { ParserState } from "./parser-state.ts";
import { foreignOperators } from "../recovery/foreign-values.ts";
import { quoteText } from "./strings.ts";
import { newlineAt } from "./limits.ts";
import { searchStretchEnd, stretchEnd } from "../recovery/extent.ts";
import type { RunToken } from "./lexer.ts";
import { runKind } from "../recovery/value-run.ts";

/**
 * Takes a run as a value, or as text that needs quotes if more text follows it (LANG-007); `isPart` says that what
 * follows is an operator. Constructors and queries, which begin with a run too, have been told apart before.
 */
export function takeRun(p: ParserState, token: RunToken, place: Place, isPart: boolean): Value {
  const next = p.skip(token.end, p.open.length > 0);
  if (!isPart && place !== "columns" && !standsAlone(p, token, next, place)) {
    if (next > token.end && commentSign(p, next) !== null)
      return takeCommented(p, token, next, place);
    return takeUnquoted(p, token.start, token.end, next, place);
  }
  return takeAlone(p, token, place);
}

function takeAlone(p: ParserState, token: RunToken, place: Place): Value {
  const { raw, kind } = token;
  const span = p.span(token.start, token.end);
  p.take(token);
  switch (kind) {
    case "placeholder":
      return { kind: "PlaceholderValue", raw: "..", span };
    case "date":
      return { kind: "DateValue", raw, span };
    case "uuid":
      return { kind: "UuidValue", raw, span };
    case "number":
      return { kind: "NumberValue", raw, span };
    case "word":
      if (raw === "true" || raw === "false")
        return { kind: "BoolValue", value: raw === "true", span };
      return raw === "null" ? { kind: "NullValue", span } : { kind: "WordValue", raw, span };
    case "bad-date":
      p.report(diagnose(textMessages.badDate, span, { raw, quoted: quoteText(raw) }));
      return { kind: "Bad", span };
    case "bad-number": {
      const plain = plainNumber(raw);
      const args = { raw: clip(raw, 40), plain: clip(plain, 40), quoted: clip(quoteText(raw), 40) };
      p.report(diagnose(textMessages.badNumber, span, args, [{ span, replacement: plain }]));
      return { kind: "Bad", span };
    }
    case "other":
      return reportUnquoted(p, token.start, token.end, place);
  }
}

/** The number that `+5`, `5.` or `.5` stands for. */
function plainNumber(raw: string): string {
  return raw
    .replace(/^\+/, "")
    .replace(/^(-?)\./, "$10.")
    .replace(/\.(?=[eE]|$)/, "");
}

/** Whether nothing follows the run that would make it part of a longer text. */
function standsAlone(p: ParserState, token: RunToken, next: number, place: Place): boolean {
  const char = p.text[next];
  if (char === undefined || ",)]}".includes(char)) return true;
  if (p.text.slice(token.end, next).includes("\n") || newlineAt(p.text, next) > 0) return true;
  if ("=<>".includes(char) || p.text.startsWith("!=", next)) return true;
  const atTop = place === "data" || place === "search";
  if (atTop && ".[{;".includes(char)) return true;
  if (char === ";") return separates(p, next, place);
  return pairAhead(p.text, next, place) !== null;
}

/** Whether a single `;` stands where a comma belongs: before a closer or the next item. */
function separates(p: ParserState, at: number, place: Place): boolean {
  const behind = p.skip(at + 1, true);
  const char = p.text[behind];
  if (char === undefined || ",)]}".includes(char)) return true;
  return pairAhead(p.text, behind, place) !== null;
}

function commentSign(p: ParserState, at: number): string | null {
  return (
    ["#", "//", "--"].find((sign) => {
      return p.text.startsWith(sign, at) && /^\s?$/.test(p.text[at + sign.length] ?? "");
    }) ?? null
  );
}

function takeCommented(p: ParserState, token: RunToken, next: number, place: Place): Value {
  const value = takeAlone(p, token, place);
  reportCommentSign(p, next, commentSign(p, next) ?? "#");
  const end = p.text.indexOf("\n", next);
  p.pos = end < 0 ? p.text.length : end;
  return value;
}

/** Text that is no token by itself: everything up to the next `,` or closing bracket is in error. */
function takeUnquoted(
  p: ParserState,
  start: number,
  runEnd: number,
  next: number,
  place: Place,
): Bad {
  const end = place === "search" ? searchStretchEnd(p.text, start) : stretchEnd(p.text, start);
  const strange = next === runEnd && (p.text.charCodeAt(next) > 0x7e || p.text[next] === "`");
  if (strange) return reportStrangeText(p, start, next, Math.max(end, next + 1));
  const options = place === "in" || place === "conditions";
  if (options && OPTIONS.test(p.text.slice(start, end))) {
    const bad = reportOptions(p, start, end, place);
    if (bad !== null) return bad;
  }
  return reportUnquoted(p, start, Math.max(end, runEnd), place);
}

const LISTED_BY = /(?:(?<![\w.])([A-Za-z_][\w.]*)\s*(!?=)|\bin)\s*$/;

/** `state=lost|moored`: options are listed. Null where no list may stand. */
function reportOptions(p: ParserState, start: number, end: number, place: Place): Bad | null {
  const words = p.text.slice(start, end).split("|");
  const list = `[${words.map((word) => word.trim()).join(", ")}]`;
  const before = LISTED_BY.exec(p.text.slice(Math.max(0, start - 200), start));
  if (before === null) return null;
  const [head, column = "", sign] = before;
  const listed = `${column} in ${list}`;
  const form = place === "in" ? list : sign === "!=" ? `not{${listed}}` : listed;
  const from = place === "in" ? start : start - head.length;
  const edits = [{ span: { start: from, end }, replacement: form }];
  p.report(diagnose(textMessages.options, p.span(start, end), { form: clip(form, 120) }, edits));
  return goBehind(p, start, end);
}

/** Reports `unexpected_char` for text that holds one, and goes behind the text. */
export function reportStrangeText(p: ParserState, start: number, at: number, end: number): Bad {
  const char = String.fromCodePoint(p.text.codePointAt(at) ?? 0);
  const text = p.text.slice(start, end);
  const plain = plainLiteral(text);
  if (plain !== null) {
    const args = { char, point: codePointName(p.text, at), plain };
    const edits = [{ span: { start, end }, replacement: plain }];
    p.report(
      diagnose(textMessages.strangeCharInLiteral, p.span(at, at + char.length), args, edits),
    );
    return goBehind(p, start, end);
  }
  const quoted = quoteText(withoutStrangeQuotes(text));
  const args = { char, point: codePointName(p.text, at), quoted: clip(quoted, 80) };
  const edits = [{ span: { start, end }, replacement: quoted }];
  p.report(diagnose(textMessages.strangeCharInValue, p.span(at, at + char.length), args, edits));
  return goBehind(p, start, end);
}

/** The number, date or UUID that text is with plain characters in place of typographic ones, or null. */
function plainLiteral(text: string): string | null {
  if (text.length > 100) return null;
  const plain = Array.from(text, (point) => plainCharacter(point) ?? point).join("");
  return /^(?:number|date|uuid)$/.test(runKind(plain)) ? plain : null;
}

function withoutStrangeQuotes(text: string): string {
  const points = Array.from(text);
  const first = points[0] ?? "";
  const last = points.at(-1) ?? "";
  const wrapped = points.length > 1 && isStrangeQuote(first) && isStrangeQuote(last);
  return wrapped ? points.slice(1, -1).join("") : text;
}

function reportUnquoted(p: ParserState, start: number, end: number, place: Place): Bad {
  const raw = p.text.slice(start, end);
  const span = p.span(start, end);
  const text = place === "in" ? `[${quoteText(raw)}]` : quoteText(raw);
  const args = { quoted: clip(text, 80) };
  const date = dateAndTime(raw);
  const foreign = foreignOperators(raw, span);
  if (foreign !== null) {
    p.report(foreign);
  } else if (date !== null) {
    p.report(diagnose(textMessages.dateAndTime, span, { ...args, date }));
  } else if (shiftedDate(raw) !== null) {
    const form = shiftedDate(raw) ?? "";
    const edits = [{ span, replacement: form }];
    p.report(diagnose(textMessages.shiftedDate, span, { ...args, form }, edits));
  } else if (isDate(`${raw}-01`)) {
    p.report(diagnose(textMessages.monthAlone, span, { ...args, first: `${raw}-01` }));
  } else if (LOOP.test(raw)) {
    p.report(diagnose(textMessages.loop, span, args));
  } else if (p.bodyRows !== null && /\?[^:?]{1,200}:/.test(raw)) {
    p.report(diagnose(textMessages.ternary, span, args));
  } else if (isCalculation(p, raw)) {
    const spaced = raw.replaceAll(/(?:(?<!\s)\s+)?([*%]|[+/]|(?<=[\w)])-)\s*/g, " $1 ");
    const edits = [{ span, replacement: spaced }];
    p.report(
      diagnose(textMessages.calculation, span, { ...args, spaced: clip(spaced, 80) }, edits),
    );
  } else {
    const entry = /\s/.test(raw) ? textMessages.unquotedWords : textMessages.unquotedText;
    p.report(diagnose(entry, span, args, [{ span, replacement: text }]));
  }
  return goBehind(p, start, end);
}

function goBehind(p: ParserState, start: number, end: number): Bad {
  p.pos = end;
  p.lastEnd = end;
  return { kind: "Bad", span: p.span(start, end) };
}

/** A date and a time kept apart by a blank, as one DATE, or null. */
function dateAndTime(raw: string): string | null {
  const parts = /^(\d{4}-\d{2}-\d{2})[ \t]+(\d{2}:\d{2}[\d:.+Z-]*)$/.exec(raw);
  const date = `${parts?.[1] ?? ""}T${parts?.[2] ?? ""}`;
  return isDate(date) ? date : null;
}

const NAMED_SUM = /^(_|[A-Za-z_]\w*)(?:\.[\w.]+)?\s*[-+*/%]\s*[\w(."']/;
const LOOP = /^\S+\s+for\s+\w+\s+in\s/;
const OPTIONS = /^\w+(?:\s*\|\s*\w+)+$/;
const NUMBER_SUM = /^-?\d+(?:\.\d+)?(?:\s+[-+*/%]\s+|[+*%])[\w(.]/;

/** Whether unquoted text looks like arithmetic on a row, a label or a number. */
function isCalculation(p: ParserState, raw: string): boolean {
  const head = NAMED_SUM.exec(raw)?.[1];
  if (head !== undefined) return head === "_" || p.labels.has(head);
  return NUMBER_SUM.test(raw);
}
