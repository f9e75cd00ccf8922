import { type Document, parseDocument } from "yaml";
import { convertDocument } from "./convert.ts";
import { MAX_DEPTH } from "./limits.ts";
import type { YamlNode } from "./node.ts";
import type { YamlProblem } from "./problem.ts";

const ONE_DOCUMENT = "write one YAML 1.2 document";

/**
 * One YAML 1.2 core-schema document as positioned nodes (CAT-012 to CAT-014). `root` is null if the
 * text is empty or has a problem; a text that is no YAML has exactly one, the first.
 */
export function parseYaml(text: string): {
  readonly root: YamlNode | null;
  readonly problems: readonly YamlProblem[];
} {
  const parsed = parseSafely(text);
  if ("code" in parsed) return { root: null, problems: [parsed] };
  const faults = [...parsed.errors, ...parsed.warnings].sort((a, b) => a.pos[0] - b.pos[0]);
  if (faults.some(({ code }) => code === "RESOURCE_EXHAUSTION")) {
    return { root: null, problems: [tooDeep()] };
  }
  const [first] = faults;
  if (first !== undefined) {
    const at = { start: first.pos[0], end: first.pos[1] };
    const what = first.message.split("\n", 1)[0] ?? first.message;
    const problem: YamlProblem = { code: "CAT012", at, what, instead: ONE_DOCUMENT };
    return { root: null, problems: [problem] };
  }
  return convertDocument(parsed);
}

function parseSafely(text: string): Document | YamlProblem {
  try {
    return parseDocument(text, {
      version: "1.2",
      schema: "core",
      merge: false,
      resolveKnownTags: false,
      uniqueKeys: false,
      prettyErrors: false,
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
  return { code: "CAT013", at, what: `depth ${MAX_DEPTH}`, instead: "nest less" };
}
