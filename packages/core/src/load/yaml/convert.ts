import { type Document, isAlias, isMap, isScalar, isSeq, type Node, type Pair } from "yaml";
import type { TextRange } from "../../source/span.ts";
import { MAX_DEPTH, MAX_NODES } from "./limits.ts";
import type { MapEntry, MapNode, YamlNode } from "./node.ts";
import type { YamlProblem } from "./problem.ts";
import { scalarNode } from "./scalar-node.ts";

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
  if (depth > MAX_DEPTH) {
    return refuse(walk, { code: "CAT013", at, what: `depth ${MAX_DEPTH}`, instead: "nest less" });
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
  const duplicates: MapNode["duplicates"][number][] = [];
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

/** Text that no UTF-8 has, so that no digest can be taken of it (RUN-170). */
const HALF_PAIR = /\p{Surrogate}/u;

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
  if (depth + target.height - 1 > MAX_DEPTH) {
    return refuse(walk, { code: "CAT013", at, what: `depth ${MAX_DEPTH}`, instead: "nest less" });
  }
  return target;
}

function measure(children: readonly YamlNode[]): { size: number; height: number } {
  let size = 1;
  let height = 1;
  for (const child of children) {
    size += child.size;
    height = Math.max(height, child.height + 1);
  }
  return { size, height };
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
