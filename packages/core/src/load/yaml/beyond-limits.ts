import { Lexer } from "yaml";
import { MAX_DEPTH, MAX_NODES, MAX_TOKENS } from "./limits.ts";
import type { YamlProblem } from "./problem.ts";

/** What the lexer says in between that is no part of the text. */
const DOCUMENT = "\u0002";
const FLOW_END = "\u0018";
const SCALAR = "\u001f";

/** What a text may hold at most. */
export interface YamlLimits {
  readonly tokens: number;
  readonly nodes: number;
  readonly depth: number;
}

/** Those of catalog files (CAT-013). */
const YAML_LIMITS: YamlLimits = { tokens: MAX_TOKENS, nodes: MAX_NODES, depth: MAX_DEPTH };

const BLANK = /^[ \t]*$/;

/**
 * The first place where a text goes beyond a limit of CAT-013, or null: seen by the lexer alone, which takes a small
 * part of what reading takes, and looked for no further. Of levels and nodes it sees some, never more than there are.
 */
export function beyondYamlLimits(text: string, most: YamlLimits = YAML_LIMITS): YamlProblem | null {
  let [offset, tokens, nodes, brackets, dashes, colons] = [0, 0, 0, 0, 0, 0];
  let isScalar = false;
  for (const token of new Lexer().lex(text)) {
    if (token === DOCUMENT) continue;
    if (token === FLOW_END) {
      brackets = 0;
      continue;
    }
    if (token === SCALAR) {
      isScalar = true;
      continue;
    }
    tokens += 1;
    const [sign] = token;
    const opens = !isScalar && (sign === "[" || sign === "{");
    if (isScalar || opens || sign === '"' || sign === "'" || sign === "*") nodes += 1;
    if (opens) brackets += 1;
    else if (!isScalar && (sign === "]" || sign === "}")) brackets = Math.max(0, brackets - 1);
    // Behind each other in one line, each of these is inside the one before.
    if (!isScalar && brackets === 0 && (token === "-" || token === "?")) dashes += 1;
    else if (isScalar || !BLANK.test(token)) dashes = 0;
    // A line has few of them outside of brackets, unless what is behind one is inside it.
    if (!isScalar && token.endsWith("\n")) colons = 0;
    else if (!isScalar && brackets === 0 && token === ":") colons += 1;
    isScalar = false;
    const depth = Math.max(brackets, dashes, colons);
    const found = beyond({ tokens, nodes, depth }, most);
    if (found !== null) return { code: "CAT013", at: { start: offset, end: offset + 1 }, ...found };
    offset += token.length;
  }
  return null;
}

function beyond(
  { tokens, nodes, depth }: YamlLimits,
  most: YamlLimits,
): Pick<YamlProblem, "what" | "instead"> | null {
  if (depth > most.depth) return { what: `depth ${most.depth}`, instead: "nest less" };
  if (nodes > most.nodes) return { what: `${most.nodes} nodes`, instead: "split the API" };
  if (tokens <= most.tokens) return null;
  return {
    what: `${most.tokens} signs, blanks between them and ends of lines`,
    instead: "leave out empty lines and blanks, or split the API",
  };
}
