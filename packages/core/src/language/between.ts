import type { Edit } from "../diagnostics/diagnostic.ts";
import { diagnose } from "../diagnostics/messages.ts";
import { syntaxMessages } from "../diagnostics/syntax-messages.ts";
import { textMessages } from "../diagnostics/text-messages.ts";
import { clip } from "../text/clip.ts";
import type { Expectation } from "./failures.ts";
import { failHere, failIfUnclosed } from "./failures.ts";
import type { PairAhead, Place } from "./pairs.ts";
import { pairAhead } from "./pairs.ts";
import type { ParserState } from "./parser-state.ts";
import { quoteText } from "./quote-text.ts";
import { matchAt } from "./scan.ts";
import { stretchEnd } from "./stretch.ts";

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
    failSum(p, itemStart, next);
    return failHere(p, expected);
  }
  const end = stretchEnd(p.text, pair.start);
  const first = clip(p.text.slice(itemStart, p.lastEnd), 80);
  const second = clip(p.text.slice(pair.start, end), 80);
  const wordStart = p.skip(p.lastEnd, true);
  const wordSpan = p.span(wordStart, wordStart + (pair.word.length || pair.head.length));
  const comma = commaEdit(p, pair);
  if (pair.join === "or") {
    const args = { word: pair.word, form: `any{${first}, ${second}}` };
    return p.fail(diagnose(syntaxMessages.wordOr, wordSpan, args, orEdits(itemStart, comma, end)));
  }
  const form = `${first}, ${second}`;
  if (pair.join === "and") {
    return p.fail(diagnose(syntaxMessages.wordAnd, wordSpan, { word: pair.word, form }, [comma]));
  }
  const missing = p.span(p.lastEnd, p.lastEnd);
  const entry =
    place === "conditions" ? syntaxMessages.missingComma : syntaxMessages.missingSeparator;
  p.fail(diagnose(entry, missing, { next: nameOf(pair), form }, [comma]));
}

const SUM = /[+*%]\s*["'\w(.]/y;

/** `"a" + "b"`: nothing is calculated in values. */
function failSum(p: ParserState, itemStart: number, at: number): void {
  if (matchAt(SUM, p.text, at) === null) return;
  const quoted = clip(quoteText(p.text.slice(itemStart, stretchEnd(p.text, at))), 80);
  p.fail(diagnose(textMessages.calculation, p.span(at, at + 1), { quoted }));
}

const HALF = /(?:(?:and|or)\b|&&?|\|\|?)\s*(?=[<>!=~])/iy;
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
