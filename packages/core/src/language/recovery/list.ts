import type { Edit } from "../../diagnostics/diagnostic.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import { syntaxMessages } from "../../diagnostics/syntax-messages.ts";
import { textMessages } from "../../diagnostics/text-messages.ts";
import { clip } from "../../base/text.ts";
import { failConditionCall } from "./condition-calls.ts";
import { type Expectation, failHere, failIfUnclosed } from "./failures.ts";
import { joinedForm } from "./joined.ts";
import { type PairAhead, pairAhead, type Place } from "./brackets.ts";
import { shiftedDate } from "../grammar/date-literal.ts";
import type { ParserState } from "../grammar/parser-state.ts";
import { quoteText } from "../grammar/strings.ts";
import { matchAt } from "../grammar/limits.ts";
import { stretchEnd } from "./extent.ts";

/**
 * Fails where an item that began at `itemStart` is followed by neither a comma nor a closer: a closer
 * that never comes, a missing comma, `and`, `or`, else whatever may stand here.
 */
export function failBetween(
  p: ParserState,
  place: Place,
  itemStart: number,
  expected: Expectation,
): void {
  failIfUnclosed(p);
  if (p.dead) return;
  const next = p.skip(p.pos, true);
  if (place === "conditions") failHalfCondition(p, itemStart, next);
  if (p.dead) return;
  const pair = pairAhead(p.text, next, place);
  if (pair === null) {
    failShift(p, itemStart, next);
    if (p.dead) return;
    if (place === "args") failComparison(p, itemStart);
    if (place === "args" || place === "list") failSideBySide(p, itemStart);
    return failHere(p, expected);
  }
  if (pair.join !== "none") return failJoined(p, place, itemStart, pair);
  const end = stretchEnd(p.text, pair.start);
  const first = clip(p.text.slice(itemStart, p.lastEnd), 80);
  const raw = p.text.slice(pair.start, end);
  const own = place === "conditions" ? (joinedForm(raw) ?? raw) : raw;
  const form = `${first}, ${clip(own, 80)}`;
  const edits = [commaEdit(p, pair)];
  if (own !== raw) edits.push({ span: { start: pair.start, end }, replacement: own });
  const missing = p.span(p.lastEnd, p.lastEnd);
  const entry =
    place === "conditions" ? syntaxMessages.missingComma : syntaxMessages.missingSeparator;
  p.fail(diagnose(entry, missing, { next: nameOf(pair), form }, edits));
}

/** `and` or `or` between items. */
function failJoined(p: ParserState, place: Place, itemStart: number, pair: PairAhead): void {
  const at = p.skip(p.lastEnd, true);
  const span = p.span(at, at + pair.word.length);
  const { word } = pair;
  const end = stretchEnd(p.text, pair.start);
  if (pair.join === "or" && place !== "conditions") {
    const entry = place === "object" ? syntaxMessages.joinedKeys : syntaxMessages.joinedArguments;
    return p.fail(diagnose(entry, span, { word }));
  }
  const whole = { start: itemStart, end };
  const joined = place === "conditions" ? joinedForm(p.text.slice(itemStart, end)) : null;
  const first = clip(p.text.slice(itemStart, p.lastEnd), 80);
  const plain = `${first}, ${clip(p.text.slice(pair.start, end), 80)}`;
  const isOr = joined === null ? pair.join === "or" : joined.startsWith("any{");
  const entry = isOr ? syntaxMessages.wordOr : syntaxMessages.wordAnd;
  const form = joined ?? (isOr ? `any{${plain}}` : plain);
  const edits = joined === null ? [commaEdit(p, pair)] : [{ span: whole, replacement: joined }];
  p.fail(
    diagnose(
      entry,
      span,
      { word, form: clip(form, 160) },
      isOr && joined === null ? undefined : edits,
    ),
  );
}

const COMPARES = /^(?:>=?|<=?|!=|~)$/;

/** `Boat(length>10)`: conditions stand in braces. */
function failComparison(p: ParserState, itemStart: number): void {
  const sign = p.peek("name");
  if (p.dead || sign.type !== "sign" || !COMPARES.test(sign.text)) return;
  failConditionCall(p, sign);
  const condition = clip(p.text.slice(itemStart, stretchEnd(p.text, sign.start)), 80);
  const span = p.span(sign.start, sign.end);
  const args = { sign: sign.text, condition };
  const edits = bracesForParens(p);
  p.fail(diagnose(syntaxMessages.conditionInParens, span, args, edits));
}

/** Braces for the parentheses of a source, as its row's method takes arguments only. */
function bracesForParens(p: ParserState): readonly Edit[] | undefined {
  const open = p.open.length === 1 ? p.open[0]?.start : undefined;
  const close = open === undefined ? undefined : p.outline().closerOf.get(open);
  if (open === undefined || close === undefined) return undefined;
  if (/\.\s*[\w-]+\s*$/.test(p.text.slice(Math.max(0, open - 140), open))) return undefined;
  return [
    { span: { start: open, end: open + 1 }, replacement: "{" },
    { span: { start: close, end: close + 1 }, replacement: "}" },
  ];
}

/** `["a" "b"]`: two values side by side have no comma between them. */
function failSideBySide(p: ParserState, itemStart: number): void {
  const token = p.peek("value");
  const value = token.type === "string" ? token.closed : token.type === "run";
  const opens = token.type === "sign" && (token.text === "[" || token.text === "{");
  if (p.dead || !(value || opens)) return;
  const end = Math.max(token.end, stretchEnd(p.text, token.start));
  const raw = p.text.slice(token.start, end);
  const form = `${clip(p.text.slice(itemStart, p.lastEnd), 80)}, ${clip(raw, 80)}`;
  const edits = [{ span: { start: p.lastEnd, end: token.start }, replacement: ", " }];
  const args = { next: clip(raw, 40), form };
  p.fail(diagnose(syntaxMessages.missingSeparator, p.span(p.lastEnd, p.lastEnd), args, edits));
}

/** What stands before the value of a condition, argument or entry. */
const ITEM_HEAD = /^(?:[A-Za-z_][\w.]*|"[^"\n]*"|'[^'\n]*')\s*(?:[=<>!~]+|:)\s*/;

/** `today() - 7`: a date relative to now is one word. */
function failShift(p: ParserState, itemStart: number, at: number): void {
  if (p.text[at] !== "-" && p.text[at] !== "+") return;
  const end = stretchEnd(p.text, at);
  const item = p.text.slice(itemStart, end);
  const value = item.replace(ITEM_HEAD, "");
  const form = shiftedDate(value.trimEnd());
  if (form === null) return;
  const start = end - value.length;
  const edits = [{ span: { start, end: start + value.trimEnd().length }, replacement: form }];
  const args = { form, quoted: clip(quoteText(value), 80) };
  p.fail(
    diagnose(textMessages.shiftedDate, p.span(start, start + value.trimEnd().length), args, edits),
  );
}

const HALF = /(?:(?:and|or)\b|&&?|\|\|?)\s*(?=[<>=~]|!=)/iy;
const COLUMN = /[A-Za-z_][\w.]*/y;

/** `length>10 and <20`: each condition names its column. */
function failHalfCondition(p: ParserState, itemStart: number, at: number): void {
  const joining = matchAt(HALF, p.text, at)?.[0];
  const column = matchAt(COLUMN, p.text, itemStart)?.[0];
  if (joining === undefined || column === undefined) return;
  const end = stretchEnd(p.text, at);
  const second = `${column}${p.text.slice(at + joining.length, end)}`;
  const first = clip(p.text.slice(itemStart, p.lastEnd), 80);
  const word = joining.trim();
  const span = p.span(at, at + word.length);
  const comma = {
    span: { start: p.lastEnd, end: at + joining.length },
    replacement: `, ${column}`,
  };
  if (/^(?:or|\|)/i.test(word)) {
    const form = `any{${first}, ${clip(second, 80)}}`;
    const edits = orEdits(itemStart, comma, end);
    return p.fail(diagnose(syntaxMessages.wordOr, span, { word, form }, edits));
  }
  const form = `${first}, ${clip(second, 80)}`;
  p.fail(diagnose(syntaxMessages.wordAnd, span, { word, form }, [comma]));
}

/** A comma in place of what joins the items; lines stay apart if nothing does. */
function commaEdit(p: ParserState, pair: PairAhead): Edit {
  const gap = { start: p.lastEnd, end: pair.start };
  const lines = pair.join === "none" && p.text.slice(gap.start, gap.end).includes("\n");
  return lines
    ? { span: { start: gap.start, end: gap.start }, replacement: "," }
    : { span: gap, replacement: ", " };
}

function orEdits(itemStart: number, comma: Edit, end: number): readonly Edit[] {
  return [
    { span: { start: itemStart, end: itemStart }, replacement: "any{" },
    comma,
    { span: { start: end, end }, replacement: "}" },
  ];
}

function nameOf(pair: PairAhead): string {
  return /^["'\w.-]+/.exec(pair.head)?.[0] ?? pair.head;
}
