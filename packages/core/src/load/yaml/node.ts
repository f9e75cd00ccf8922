import type { TextRange } from "../../source/span.ts";

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

export type MapNode = NodeBase & {
  readonly kind: "map";
  /** by key; of duplicates the last */
  readonly entries: ReadonlyMap<string, MapEntry>;
  readonly duplicates: readonly {
    readonly key: string;
    readonly first: TextRange;
    readonly again: TextRange;
  }[];
};

export type ListNode = NodeBase & { readonly kind: "list"; readonly items: readonly YamlNode[] };

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
export type YamlNode = MapNode | ListNode | TextNode | NumberNode | BooleanNode | NullNode;
