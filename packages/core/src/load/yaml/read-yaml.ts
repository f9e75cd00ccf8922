import {
  Composer,
  type CST,
  type Document,
  type DocumentOptions,
  Parser,
  type ParseOptions,
  type SchemaOptions,
  type YAMLError,
  YAMLParseError,
} from "yaml";

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
