import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type Scalar,
} from "yaml";
import type { TextRange } from "../../base/span.ts";
import { HALF_PAIR, MAX_YAML_DEPTH, MAX_NODES, type YamlProblem } from "./read-yaml.ts";
import { type MapEntry, measure, type YamlMap, type YamlNode } from "./node.ts";
import { numberValue } from "../../base/decimal.ts";
import { clip } from "../../base/text.ts";

/** What the walk knows: anchors seen so far, those still being read, and the problems found. */
interface Walk {
  readonly anchors: Map<string, YamlNode>;
  readonly open: Set<string>;
  readonly problems: YamlProblem[];
}

/** A parsed document as positioned nodes, or null and the problems that forbid it (CAT-012, CAT-013). */
export function convertDocument(document: Document): {
  readonly root: YamlNode | null;
  readonly problems: readonly YamlProblem[];
} {
  const walk: Walk = { anchors: new Map(), open: new Set(), problems: [] };
  const root = document.contents === null ? null : convert(document.contents, 1, walk);
  return { root: walk.problems.length === 0 ? root : null, problems: walk.problems };
}

function convert(node: unknown, depth: number, walk: Walk): YamlNode | null {
  const at = rangeOf(node);
  if (depth > MAX_YAML_DEPTH) {
    return refuse(walk, {
      code: "CAT013",
      at,
      what: `depth ${MAX_YAML_DEPTH}`,
      instead: "nest less",
    });
  }
  if (isAlias(node)) return resolveAlias(node.source, depth, at, walk);
  const anchor = anchorOf(node);
  if (anchor !== undefined) walk.open.add(anchor);
  const converted = convertContent(node, depth, at, walk);
  if (anchor !== undefined) {
    walk.open.delete(anchor);
    if (converted !== null) walk.anchors.set(anchor, converted);
  }
  if (converted !== null && converted.size > MAX_NODES) return tooMany(walk, at);
  return converted;
}

function convertContent(node: unknown, depth: number, at: TextRange, walk: Walk): YamlNode | null {
  if (isMap(node)) return convertMap(node.items, depth, at, walk);
  if (isSeq(node)) {
    const items = node.items.map((item) => convert(item ?? null, depth + 1, walk));
    const known = items.filter((item) => item !== null);
    return { kind: "list", at, items: known, ...measure(known) };
  }
  if (!isScalar(node)) return { kind: "null", at, size: 1, height: 1 };
  if (typeof node.value === "string" && HALF_PAIR.test(node.value))
    return refuse(walk, halfPair(at));
  const result = scalarNode(node, at);
  return "code" in result ? refuse(walk, result) : result;
}

function convertMap(
  pairs: readonly Pair[],
  depth: number,
  at: TextRange,
  walk: Walk,
): YamlNode | null {
  const entries = new Map<string, MapEntry>();
  const duplicates: YamlMap["duplicates"][number][] = [];
  for (const pair of pairs) {
    const keyAt = rangeOf(pair.key, at);
    const key = keyText(pair.key, keyAt, walk);
    const value = convert(pair.value ?? emptyAfter(keyAt), depth + 1, walk);
    if (key === null || value === null) continue;
    const first = entries.get(key);
    if (first !== undefined) duplicates.push({ key, first: first.keyAt, again: keyAt });
    entries.set(key, { key, keyAt, value });
  }
  const values = [...entries.values()].map((entry) => entry.value);
  const { size, height } = measure(values);
  return { kind: "map", at, entries, duplicates, size: size + entries.size, height };
}

/** The key as text: a number or boolean key is its source text. Anything else is refused. */
function keyText(key: unknown, at: TextRange, walk: Walk): string | null {
  if (isScalar(key)) {
    const plain = key.type === "PLAIN" || key.type === undefined;
    if (key.value === "<<" && plain) {
      const instead = "repeat the keys, or alias the whole map";
      return refuse(walk, { code: "CAT012", at, what: "a merge key <<", instead });
    }
    if (typeof key.value === "string") {
      return HALF_PAIR.test(key.value) ? refuse(walk, halfPair(at)) : key.value;
    }
    if (key.source !== undefined && key.source !== "") return key.source;
  }
  const what = "a map key that is no text";
  return refuse(walk, { code: "CAT012", at, what, instead: "use a name as key" });
}

function halfPair(at: TextRange): YamlProblem {
  const what = "text with half a surrogate pair (\\uD800 to \\uDFFF alone)";
  return { code: "CAT012", at, what, instead: "write the character itself" };
}

function resolveAlias(name: string, depth: number, at: TextRange, walk: Walk): YamlNode | null {
  if (walk.open.has(name)) {
    const what = `the alias *${name} inside its own anchor`;
    return refuse(walk, { code: "CAT012", at, what, instead: "write the value out" });
  }
  const target = walk.anchors.get(name);
  if (target === undefined) {
    const instead = "define the anchor before its alias";
    return refuse(walk, { code: "CAT012", at, what: `the alias *${name} without anchor`, instead });
  }
  if (depth + target.height - 1 > MAX_YAML_DEPTH) {
    return refuse(walk, {
      code: "CAT013",
      at,
      what: `depth ${MAX_YAML_DEPTH}`,
      instead: "nest less",
    });
  }
  return target;
}

function tooMany(walk: Walk, at: TextRange): null {
  const what = `${MAX_NODES} nodes, aliases expanded`;
  return refuse(walk, { code: "CAT013", at, what, instead: "use fewer aliases or split the API" });
}

function refuse(walk: Walk, problem: YamlProblem): null {
  walk.problems.push(problem);
  return null;
}

function anchorOf(node: unknown): string | undefined {
  return (node as (Partial<Node> & { anchor?: string }) | null)?.anchor;
}

function rangeOf(node: unknown, fallback: TextRange = { start: 0, end: 0 }): TextRange {
  const range = (node as Partial<Node> | null)?.range;
  return range ? { start: range[0], end: range[1] } : fallback;
}

/** Stands for the value a key has not: an empty place right behind the key. */
function emptyAfter(at: TextRange): { readonly range: readonly [number, number, number] } {
  return { range: [at.end, at.end, at.end] };
}

/** A scalar by the core schema (CAT-012), numbers exact (CAT-014), or why it is refused. */
function scalarNode(scalar: Scalar, at: TextRange): YamlNode | YamlProblem {
  const base = { at, size: 1, height: 1 };
  const { value } = scalar;
  const source = scalar.source ?? String(value);
  if (value === null || value === undefined) return { ...base, kind: "null" };
  if (typeof value === "string") return { ...base, kind: "text", value };
  if (typeof value === "boolean") {
    if (source === String(value)) return { ...base, kind: "boolean", value };
    return refused(
      at,
      `${clip(source, MOST_SHOWN)} as a boolean`,
      `write ${value}, or "${source}" for text`,
    );
  }
  if (typeof value === "number") {
    const exact = exactNumber(source);
    if (exact !== null) return { ...base, kind: "number", value: exact, source };
    const found = `${clip(source, MOST_SHOWN)}, which is no JSON number`;
    return refused(at, found, "write a decimal number, or quote it");
  }
  return refused(
    at,
    `the value ${clip(source, MOST_SHOWN)}`,
    "use text, numbers, booleans, null, lists and maps",
  );
}

/** Digits of a whole number that is not decimal; making it one takes more than in proportion to them. */
const MOST_DIGITS = 1_000;

/** Characters of a scalar that a message shows. */
const MOST_SHOWN = 60;

function exactNumber(source: string): number | string | null {
  if (/^[-+]?0[ox]/.test(source)) {
    const digits = source.replace(/^[-+]/, "");
    if (digits.length > MOST_DIGITS) return null;
    const whole = BigInt(digits);
    return numberValue(String(source.startsWith("-") ? -whole : whole));
  }
  return numberValue(source);
}

function refused(at: TextRange, what: string, instead: string): YamlProblem {
  return { code: "CAT012", at, what, instead };
}

/** A node as a message says what was found: `text "packed"`, `number 3`, `a list of 2`. */
export function describeNode(node: YamlNode): string {
  switch (node.kind) {
    case "text":
      return `text ${JSON.stringify(clip(node.value, 60))}`;
    case "number":
      return `number ${clip(node.source, 60)}`;
    case "boolean":
      return `boolean ${node.value}`;
    case "null":
      return "nothing (null)";
    case "list":
      return node.items.length === 0 ? "an empty list" : `a list of ${node.items.length}`;
    case "map":
      return node.entries.size === 0
        ? "an empty map"
        : `a map with ${clip([...node.entries.keys()].join(", "), 60)}`;
  }
}
