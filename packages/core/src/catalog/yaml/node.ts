import type { TextRange } from "../../base/span.ts";
import type { Json } from "../../values/value-type.ts";

interface NodeBase {
  readonly at: TextRange;
  /** nodes under and including this one, aliases expanded (CAT-013) */
  readonly size: number;
  /** levels under and including this one, aliases expanded */
  readonly height: number;
}

/** One entry of a map; `first` is the place of an earlier entry with the same key (CAT-004). */
export interface MapEntry {
  readonly key: string;
  readonly keyAt: TextRange;
  readonly value: YamlNode;
}

export type YamlMap = NodeBase & {
  readonly kind: "map";
  /** by key; of duplicates the last */
  readonly entries: ReadonlyMap<string, MapEntry>;
  readonly duplicates: readonly {
    readonly key: string;
    readonly first: TextRange;
    readonly again: TextRange;
  }[];
};

export type YamlList = NodeBase & { readonly kind: "list"; readonly items: readonly YamlNode[] };

export type TextNode = NodeBase & { readonly kind: "text"; readonly value: string };

/** `value` is text where a double cannot hold the number exactly (CAT-014); `source` is as written. */
export type NumberNode = NodeBase & {
  readonly kind: "number";
  readonly value: number | string;
  readonly source: string;
};

export type BooleanNode = NodeBase & { readonly kind: "boolean"; readonly value: boolean };

export type NullNode = NodeBase & { readonly kind: "null" };

/**
 * A YAML value with its place in the text. Anchors and aliases are gone: an alias is its anchor's
 * node, place included, shared and not copied.
 */
export type YamlNode = YamlMap | YamlList | TextNode | NumberNode | BooleanNode | NullNode;

/** The size and height of a node with these in it. */
export function measure(children: readonly YamlNode[]): { size: number; height: number } {
  let size = 1;
  let height = 1;
  for (const child of children) {
    size += child.size;
    height = Math.max(height, child.height + 1);
  }
  return { size, height };
}

/** A node as JSON; a number beyond a double is its decimal text (CAT-014). */
export function nodeToJson(node: YamlNode): Json {
  return convert(node, (text) => text);
}

/** A node as the digest sees it: a number beyond a double is `{"$num": "<text>"}` (RUN-170). */
export function nodeToCanonical(node: YamlNode): Json {
  return convert(node, (text) => ({ $num: text }));
}

function convert(node: YamlNode, exact: (text: string) => Json): Json {
  switch (node.kind) {
    case "null":
      return null;
    case "text":
    case "boolean":
      return node.value;
    case "number":
      return typeof node.value === "string" ? exact(node.value) : node.value;
    case "list":
      return node.items.map((item) => convert(item, exact));
    case "map":
      return Object.fromEntries(
        [...node.entries].map(([key, entry]) => [key, convert(entry.value, exact)]),
      );
  }
}
