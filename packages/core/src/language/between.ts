import type { Edit } from "../diagnostics/diagnostic.ts";
import { diagnose } from "../diagnostics/messages.ts";
import { syntaxMessages } from "../diagnostics/syntax-messages.ts";
import { clip } from "../text/clip.ts";
import type { Expectation } from "./failures.ts";
import { failHere, failIfUnclosed } from "./failures.ts";
import type { PairAhead, Place } from "./pairs.ts";
import { pairAhead } from "./pairs.ts";
import type { ParserState } from "./parser-state.ts";
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
  const pair = pairAhead(p.text, p.skip(p.pos, true), place);
  if (pair === null) return failHere(p, expected);
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
