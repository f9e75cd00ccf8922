import { matchAt } from "./scan.ts";

/** Where a value stands, on which depends what a missing comma looks like. */
export type Place = "args" | "conditions" | "list" | "object" | "data" | "search";

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
const HEADS: Readonly<Record<Place, RegExp | null>> = {
  args: /[A-Za-z_]\w*\s*=(?![=>])/y,
  conditions: new RegExp(
    `${PATH}\\s*(?:[=<>~]|!=|(?:not\\s+)?in\\b|is\\b|like\\b)|(?:any|all|not)\\s*\\{|exists\\s*\\(|not\\s+${PATH}`,
    "y",
  ),
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
  const join = matchAt(JOIN, text, at);
  const start = at + (join?.[0].length ?? 0);
  const head = matchAt(pattern, text, start)?.[0];
  if (head === undefined) {
    const plain = join === null ? undefined : matchAt(pattern, text, at)?.[0];
    return plain === undefined ? null : { join: "none", word: "", head: plain, start: at };
  }
  const word = join?.[0].trim() ?? "";
  if (join === null) return { join: "none", word, head, start };
  return { join: /^(?:or|\|)/i.test(word) ? "or" : "and", word, head, start };
}
