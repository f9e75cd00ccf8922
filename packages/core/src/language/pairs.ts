import { matchAt } from "./scan.ts";

/** Where a value stands, on which depends what a missing comma looks like. */
export type Place = "args" | "conditions" | "in" | "list" | "object" | "data" | "search";

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
  `${PATH}\\s*(?:[=<>~:]|!=|(?:not\\s+)?in\\b|is\\b|i?like\\b|contains\\b|matches\\b|includes\\b|between\\b)|(?:any|all|not|and|or)\\s*[{(]|exists\\s*\\(|not\\s+${PATH}|!(?!=)|\\(`,
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
