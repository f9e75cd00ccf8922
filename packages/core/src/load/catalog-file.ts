import { type SourceText, sourceText, spanIn } from "../source/source-text.ts";
import type { TextRange } from "../source/span.ts";
import { utf8Length } from "../text/utf8-length.ts";
import type { KeyPath } from "./key-path.ts";
import { createReporter, type Reporter } from "./reporter.ts";
import type { ReadContext } from "./shape/shape.ts";
import { MAX_BYTES } from "./yaml/limits.ts";
import type { YamlNode } from "./yaml/node.ts";
import { parseYaml } from "./yaml/parse-yaml.ts";

/** A catalog file as the host read it. */
export interface CatalogFile {
  /** Name for messages. */
  readonly file: string;
  readonly text: string;
}

/** A catalog file parsed: its nodes, and what was found wrong so far. */
export interface ParsedFile {
  readonly file: string;
  readonly source: SourceText;
  /** Null if the text is no YAML, or empty. */
  readonly root: YamlNode | null;
  readonly reporter: Reporter;
}

/** One of the two parts of a catalog: its file, and the keys under which it stands there. */
export interface CatalogPart {
  readonly parsed: ParsedFile;
  readonly prefix: KeyPath;
}

/** Parses one file; problems of CAT-011 to CAT-013 are reported in it. */
export function parseFile({ file, text }: CatalogFile): ParsedFile {
  const plain = text.startsWith("\ufeff") ? text.slice(1) : text;
  const source = sourceText(plain);
  const reporter = createReporter(file, source);
  const bytes = utf8Length(text);
  const nowhere = { at: { start: 0, end: 0 }, path: [] };
  if (bytes > MAX_BYTES) {
    reporter.report(nowhere, "CAT011", "size", { found: bytes, allowed: MAX_BYTES });
    return { file, source, root: null, reporter };
  }
  const { root, problems } = parseYaml(plain);
  for (const { code, at, what, instead, syntax } of problems) {
    const place = { at, path: [] };
    const params = { found: what, allowed: instead };
    if (code === "CAT012")
      reporter.report(place, "CAT012", syntax ? "syntax" : "construct", params);
    else reporter.report(place, "CAT013", "limit", params);
  }
  if (root === null && problems.length === 0) {
    const expected = "a map";
    reporter.report(nowhere, "CAT003", "wrong", { found: "an empty file", expected });
  }
  return { file, source, root, reporter };
}

/** What the readers of a file need. */
export function readContext(parsed: ParsedFile, functions: readonly string[]): ReadContext {
  return {
    report: parsed.reporter.report,
    functions,
    position: (at: TextRange) => {
      const { line, column } = spanIn(parsed.source, at.start, at.end);
      return `${line}:${column}`;
    },
  };
}

/** The place of the whole file, for what is wrong or missing at its root. */
export const rootPlace: { readonly path: KeyPath; readonly keyAt: TextRange } = {
  path: [],
  keyAt: { start: 0, end: 0 },
};
