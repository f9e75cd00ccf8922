import {
  beyondYamlLimits,
  MAX_YAML_DEPTH,
  type ReadYaml,
  readYaml,
  type YamlProblem,
} from "./read-yaml.ts";
import { convertDocument } from "./convert.ts";
import { jsonNodes } from "./json-nodes.ts";
import type { YamlNode } from "./node.ts";

const ONE_DOCUMENT = "write one YAML 1.2 document";

/** What most likely mends a text that is no YAML, by the code of what the library stumbled over. */
const MENDS: ReadonlyMap<string, string> = new Map([
  ["TAB_AS_INDENT", "indent with blanks"],
  [
    "BLOCK_AS_IMPLICIT_KEY",
    "look at the indentation, and put text that holds a colon and a blank in quotes",
  ],
  ["MISSING_CHAR", "look for a bracket, quote or colon that is missing before this place"],
  ["BAD_INDENT", "look at the indentation, and for a bracket that is missing before this place"],
  ["BAD_SCALAR_START", "put text that begins with such a sign in quotes"],
  ["MULTIPLE_DOCS", "keep one, and leave --- out"],
]);

/** A construct that is YAML and refused, or no YAML at all, and what to do. */
function advice(code: string): Pick<YamlProblem, "instead" | "syntax"> {
  if (code === "TAG_RESOLVE_FAILED") return { instead: "plain values, without tags" };
  return { instead: MENDS.get(code) ?? "look at the signs and quotes of this line", syntax: true };
}

/**
 * One YAML 1.2 core-schema document as positioned nodes (CAT-012 to CAT-014). `root` is null if the
 * text is empty or has a problem; a text that is no YAML has exactly one, the first. A text beyond the limits of CAT-013
 * is told before it is read, where the lexer alone sees it. JSON, which is YAML, is read faster and to the same nodes.
 */
export function parseYaml(text: string): {
  readonly root: YamlNode | null;
  readonly problems: readonly YamlProblem[];
} {
  const plain = jsonNodes(text);
  if (plain !== null) return { root: plain, problems: [] };
  const beyond = beyondYamlLimits(text);
  if (beyond !== null) return { root: null, problems: [beyond] };
  const read = readSafely(text);
  if ("code" in read) return { root: null, problems: [read] };
  const { document, faults } = read;
  if (faults.some(({ code }) => code === "RESOURCE_EXHAUSTION")) {
    return { root: null, problems: [tooDeep()] };
  }
  const [first] = faults;
  if (first !== undefined) {
    const at = { start: first.pos[0], end: first.pos[1] };
    const what = first.message.split("\n", 1)[0] ?? first.message;
    return { root: null, problems: [{ code: "CAT012", at, what, ...advice(first.code) }] };
  }
  return document === null ? { root: null, problems: [] } : convertDocument(document);
}

function readSafely(text: string): ReadYaml | YamlProblem {
  try {
    return readYaml(text, {
      version: "1.2",
      schema: "core",
      merge: false,
      resolveKnownTags: false,
      uniqueKeys: false,
      logLevel: "error",
    });
  } catch (error) {
    if (error instanceof RangeError) return tooDeep();
    const at = { start: 0, end: 0 };
    const what = error instanceof Error ? error.message : String(error);
    return { code: "CAT012", at, what, instead: ONE_DOCUMENT };
  }
}

/** The library recurses: nesting far beyond every limit ends its stack, nobody knows where. */
function tooDeep(): YamlProblem {
  const at = { start: 0, end: 0 };
  return { code: "CAT013", at, what: `depth ${MAX_YAML_DEPTH}`, instead: "nest less" };
}
