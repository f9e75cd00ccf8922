import { diagnose } from "../../diagnostics/messages.ts";
import { textMessages } from "../../diagnostics/text-messages.ts";
import { CLOSER } from "../grammar/characters.ts";
import { failHere } from "./failures.ts";
import { matchAt, MAX_DEPTH, MAX_ITEMS } from "../grammar/limits.ts";
import type { OpeningSign, ParserState } from "../grammar/parser-state.ts";

/**
 * Reads `open item, item, … close`, the opening bracket being next; one trailing comma is allowed
 * (LANG-005). `between` fails where neither a comma nor a closer follows an item. Of too many items the first
 * are kept.
 */
export function bracketed<Item>(
  p: ParserState,
  open: OpeningSign,
  item: () => Item,
  between: () => void,
): readonly Item[] {
  const items: Item[] = [];
  if (!enter(p, open)) return items;
  let excess: number | null = null;
  let count = 0;
  while (!p.dead && !atCloser(p)) {
    if (count === MAX_ITEMS) excess = p.skip(p.pos, true);
    const read = item();
    if (++count <= MAX_ITEMS) items.push(read);
    if (!p.takeIf(",") && !atCloser(p)) between();
  }
  if (excess !== null) reportExcess(p, excess, count);
  leave(p, open, `${open}${CLOSER[open]}`);
  return items;
}

/** Goes behind an opening bracket; false if brackets are too deep (LANG-001). */
export function enter(p: ParserState, open: OpeningSign): boolean {
  const token = p.peek("name");
  if (token.type !== "sign" || token.text !== open) return false;
  if (p.open.length === MAX_DEPTH) {
    const args = {
      what: "The nesting of brackets",
      limit: `${MAX_DEPTH} levels`,
      actual: p.outline().depth,
    };
    p.fail(diagnose(textMessages.tooLarge, p.span(token.start, token.end), args));
    return false;
  }
  p.take(token);
  p.open.push({ sign: open, start: token.start });
  return true;
}

/** Takes the closer of the innermost bracket, and a comma before it (LANG-005), or fails with an example. */
export function leave(p: ParserState, open: OpeningSign, example: string): void {
  const close = CLOSER[open];
  p.takeIf(",");
  const token = p.peek("name");
  if (token.type !== "sign" || token.text !== close) {
    failHere(p, { what: close, example });
    return;
  }
  p.take(token);
  p.open.pop();
}

/** Whether a closing bracket of any form is next. */
function atCloser(p: ParserState): boolean {
  const token = p.peek("name");
  return token.type === "sign" && /^[)\]}]$/.test(token.text);
}

function reportExcess(p: ParserState, start: number, count: number): void {
  const args = { what: "The list", limit: `${MAX_ITEMS} items`, actual: count };
  p.report(diagnose(textMessages.tooLarge, p.span(start, p.lastEnd), args));
}

/** Where a value stands, on which depends what a missing comma looks like. */
export type Place =
  | "args"
  | "conditions"
  | "in"
  | "list"
  | "object"
  | "data"
  | "search"
  /** a value computed from columns, which are meant by their names */
  | "columns"
  /** an argument of a function where columns are not meant by their names */
  | "call";

/** A word that stands where a comma belongs; `none` if the comma is simply missing. */
export interface PairAhead {
  readonly join: "none" | "and" | "or";
  /** The joining word as written, possibly empty. */
  readonly word: string;
  /** What the next item begins with: name and operator. */
  readonly head: string;
  /** Offset of the next item. */
  readonly start: number;
}

const JOIN = /(?:(and|or)\b|(&&?)|(\|\|?))\s*/iy;
const PATH = "[A-Za-z_]\\w*(?:\\.[A-Za-z0-9_-]+)*";
/** What a condition begins with behind a word that joins conditions, the forms of other languages included. */
const JOINED_CONDITION = new RegExp(
  `${PATH}\\s*(?:[=<>~:+*/%-]|!=|(?:not\\s+)?in\\b|is\\b|i?like\\b|contains\\b|matches\\b|includes\\b|between\\b)|(?:any|all|not|and|or)\\s*[{(]|exists\\s*\\(|[a-z_]+\\s*\\(|not\\s+${PATH}|!(?!=)|\\(`,
  "iy",
);
const HEADS: Readonly<Record<Place, RegExp | null>> = {
  args: /[A-Za-z_]\w*\s*=(?![=>])/y,
  conditions: new RegExp(
    `${PATH}\\s*(?:[=<>~]|!=|(?:not\\s+)?in\\b|is\\b|like\\b)|(?:any|all|not)\\s*\\{|exists\\s*\\(|not\\s+${PATH}`,
    "y",
  ),
  in: null,
  object: /(?:[A-Za-z_]\w*|"[^"\n]*"|'[^'\n]*')\s*:/y,
  list: null,
  data: null,
  search: null,
  columns: null,
  call: null,
};

/**
 * Whether the text at an offset, after an optional `and` or `or`, reads NAME and operator (in an object
 * NAME and `:`), so that a comma or `any{}` is missing before it (LANG-007).
 */
export function pairAhead(text: string, at: number, place: Place): PairAhead | null {
  const pattern = HEADS[place];
  if (pattern === null) return null;
  const joined = place === "conditions" ? joinAhead(text, at) : joinedBy(text, at, pattern);
  if (joined !== null) return joined;
  const head = matchAt(pattern, text, at)?.[0];
  return head === undefined ? null : { join: "none", word: "", head, start: at };
}

/** A word or sign that joins conditions, and the condition behind it, or null. */
export function joinAhead(text: string, at: number): PairAhead | null {
  return joinedBy(text, at, JOINED_CONDITION);
}

function joinedBy(text: string, at: number, pattern: RegExp): PairAhead | null {
  const join = matchAt(JOIN, text, at);
  if (join === null) return null;
  const start = at + join[0].length;
  const head = matchAt(pattern, text, start)?.[0];
  if (head === undefined) return null;
  const word = join[0].trim();
  return { join: /^(?:or|\|)/i.test(word) ? "or" : "and", word, head, start };
}
