import { type SourceText, sourceText, spanIn } from "../base/source.ts";
import type { TextRange } from "../base/span.ts";
import { utf8Length } from "../base/text.ts";
import type { KeyPath } from "./key-path.ts";
import { createReporter, type Reporter } from "./reporter.ts";
import type { ReadContext } from "./shape/shape.ts";
import { MAX_YAML_BYTES } from "./yaml/read-yaml.ts";
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
  if (bytes > MAX_YAML_BYTES) {
    reporter.report(nowhere, "CAT011", "size", { found: bytes, allowed: MAX_YAML_BYTES });
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

/** Where a key path leads in a file: its last key, and the value under it. */
interface Located {
  readonly key: TextRange;
  readonly value: TextRange;
}

/**
 * Follows a key path from the root of a file. Where the file has no such key (a default, a
 * shorthand), the place is that of the nearest key above.
 */
export function locateNode(root: YamlNode | null, path: KeyPath): Located {
  let key: TextRange = { start: 0, end: 0 };
  let node = root;
  for (const step of path) {
    const next = stepInto(node, step);
    if (next === null) break;
    key = next.key;
    node = next.node;
  }
  return { key, value: node?.at ?? key };
}

/** The node under a key path, or null if the file has none. */
export function nodeAt(root: YamlNode | null, path: KeyPath): YamlNode | null {
  let node = root;
  for (const step of path) node = stepInto(node, step)?.node ?? null;
  return node;
}

function stepInto(
  node: YamlNode | null,
  step: string | number,
): { readonly key: TextRange; readonly node: YamlNode } | null {
  if (node?.kind === "map") {
    const entry = node.entries.get(String(step));
    return entry === undefined ? null : { key: entry.keyAt, node: entry.value };
  }
  const item = node?.kind === "list" && typeof step === "number" ? node.items[step] : undefined;
  return item === undefined ? null : { key: item.at, node: item };
}
