import {
  Composer,
  type CST,
  type Document,
  type DocumentOptions,
  Lexer,
  type ParseOptions,
  Parser,
  type SchemaOptions,
  type YAMLError,
  YAMLParseError,
} from "yaml";
import type { TextRange } from "../../base/span.ts";

/** What keeps a text from being a catalog file: a construct of CAT-012 or a limit of CAT-013. */
export interface YamlProblem {
  readonly code: "CAT012" | "CAT013";
  readonly at: TextRange;
  /** The construct or the limit, as a message names it. */
  readonly what: string;
  readonly instead: string;
  /** Whether the text is no YAML at all. */
  readonly syntax?: true;
}

/** Nodes of one file, as written and after alias expansion (CAT-013). */
export const MAX_NODES = 1_000_000;

/** Signs, blanks between them and ends of lines of one file, each of which the reader looks at (CAT-013). */
const MAX_TOKENS = 5_000_000;

/** Levels of one file after alias expansion (CAT-013). */
export const MAX_YAML_DEPTH = 100;

/** Text that no UTF-8 has, so that no digest can be taken of it (RUN-170). */
export const HALF_PAIR = /\p{Surrogate}/u;

/** Bytes of one file (CAT-011). */
export const MAX_YAML_BYTES = 50 * 1024 * 1024;

/** Faults that are looked for: the first in the text is told, and may be found behind some others. */
const MOST_FAULTS = 100;

/** What the library tells its faults to, while it reads. */
type OnFault = (source: unknown, code: string, message: string, isWarning?: boolean) => void;

/** Ends the reading of a text that has more faults than are looked for; the library has no other way. */
class FaultsEnough extends Error {}

/** One document as the library reads it, and what is wrong with it, warnings too, in the order of the text. */
export interface ReadYaml {
  /** null where there are so many faults that reading ended */
  readonly document: Document | null;
  readonly faults: readonly YAMLError[];
}

/**
 * Reads one YAML document, as the library's own `parseDocument` does, but only so many of its faults: each is an error
 * with a stack, and a text may have as many as characters. `logLevel: "silent"` passes over warnings and over documents
 * behind the first. Throws RangeError where nesting ends the stack.
 */
export function readYaml(
  text: string,
  options: ParseOptions & DocumentOptions & SchemaOptions,
): ReadYaml {
  const faults: YAMLError[] = [];
  const isSilent = options.logLevel === "silent";
  const composer = new Composer({ ...options, prettyErrors: false });
  const collect = composer["onError"] as OnFault;
  const counted: OnFault = (source, code, message, isWarning) => {
    if (isWarning === true && isSilent) return;
    // The library tells what it caught, this end too, as one more fault.
    if (faults.length >= MOST_FAULTS) throw new FaultsEnough();
    collect(source, code, message, isWarning);
    const { errors, warnings } = composer.streamInfo();
    const last = (isWarning === true ? warnings : errors).at(-1);
    if (last !== undefined) faults.push(last);
  };
  composer["onError"] = counted;
  try {
    const [document, second] = firstTwo(composer.compose(someTokens(text), true, text.length));
    const several = second === undefined || isSilent ? [] : [severalDocuments(second)];
    const found = [...(document?.errors ?? []), ...(document?.warnings ?? []), ...several];
    return { document: document ?? null, faults: inOrder(found) };
  } catch (error) {
    if (error instanceof FaultsEnough) return { document: null, faults: inOrder(faults) };
    throw error;
  }
}

const inOrder = (faults: readonly YAMLError[]): readonly YAMLError[] =>
  faults.toSorted((a, b) => a.pos[0] - b.pos[0]);

function firstTwo(documents: Iterable<Document>): readonly Document[] {
  const first: Document[] = [];
  for (const document of documents) {
    first.push(document);
    if (first.length === 2) break;
  }
  return first;
}

function severalDocuments({ range }: Document): YAMLError {
  const [start, end] = range ?? [0, 0];
  return new YAMLParseError([start, end], "MULTIPLE_DOCS", "Source contains multiple documents");
}

/** The tokens of a text, up to where too many of them are errors. */
function* someTokens(text: string): Generator<CST.Token> {
  let errors = 0;
  for (const token of new Parser().parse(text)) {
    yield token;
    if (token.type === "error") errors += 1;
    if (errors >= MOST_FAULTS) return;
  }
}

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
const YAML_LIMITS: YamlLimits = { tokens: MAX_TOKENS, nodes: MAX_NODES, depth: MAX_YAML_DEPTH };

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
