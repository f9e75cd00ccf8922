import type { Json } from "../../values/json.ts";
import { nameList } from "../../diagnostics/nearest-name.ts";
import { nearestText } from "../nearest-text.ts";
import { describeNode } from "../yaml/describe-node.ts";
import type { YamlNode } from "../yaml/node.ts";
import { entryOf, type Keys, object, type ObjectOf, type ObjectOptions } from "./object.ts";
import type { Place, ReadContext, Shape } from "./shape.ts";
import { wrongType } from "./wrong-type.ts";

type Variants = Readonly<Record<string, Keys>>;

/** What a tagged object reads as: the variants, told apart by the tag. */
export type TaggedOf<Tag extends string, V extends Variants> = {
  [W in keyof V & string]: { readonly [P in Tag]: W } & ObjectOf<V[W]>;
}[keyof V & string];

export interface TaggedOptions extends ObjectOptions {
  /** The variant of a map without tag; without it the tag is required. */
  readonly fallback?: string;
  /** Reports an unknown word under the code of its own rule; without it CAT-002. */
  readonly unknownWord?: (
    node: YamlNode,
    place: Place,
    context: ReadContext,
    words: readonly string[],
  ) => boolean;
}

/** A map whose keys depend on the word under its tag. */
export function tagged<const Tag extends string, const V extends Variants>(
  tag: Tag,
  variants: V,
  options: TaggedOptions = {},
): Shape<TaggedOf<Tag, V>> {
  const words = Object.keys(variants);
  const shapes = new Map<string, Shape<Readonly<Record<string, unknown>>>>(
    Object.entries(variants).map(([each, keys]) => [
      each,
      object(keys, { ...options, also: [...(options.also ?? []), tag] }),
    ]),
  );
  const expected = `a map with ${tag}: ${words.join(", ")}`;
  return {
    expected,
    form: {
      kind: "tagged",
      tag,
      variants: new Map([...shapes].map(([each, shape]) => [each, shape.form])),
      fallback: options.fallback ?? null,
      called: null,
    },
    read: (node, place, context) => {
      if (node.kind !== "map") return wrongType(node, place, context, expected);
      const chosen = readTag(node, place, context, tag, words, options);
      const shape = chosen === undefined ? undefined : shapes.get(chosen);
      const value = shape?.read(node, place, context);
      return value && ({ [tag]: chosen, ...value } as TaggedOf<Tag, V>);
    },
    canonical: (value) => {
      const members = value as Readonly<Record<string, unknown>>;
      const chosen = String(members[tag]);
      const rest = shapes.get(chosen)?.canonical(members) ?? {};
      return { [tag]: chosen, ...(rest as Readonly<Record<string, Json>>) };
    },
  };
}

function readTag(
  node: YamlNode,
  place: Place,
  context: ReadContext,
  tag: string,
  words: readonly string[],
  options: TaggedOptions,
): string | undefined {
  const entry = entryOf(node, tag);
  const expected = `one of ${words.join(", ")}`;
  if (entry === undefined) {
    if (options.fallback !== undefined) return options.fallback;
    if (options.missing !== undefined) options.missing(place, context, tag, expected);
    else {
      const at = { at: place.keyAt, path: [...place.path, tag] };
      context.report(at, "CAT003", "missing", { key: tag, expected });
    }
    return undefined;
  }
  const inner = { path: [...place.path, tag], keyAt: entry.keyAt };
  const found = entry.value;
  if (found.kind === "text" && words.includes(found.value)) return found.value;
  if (options.unknownWord?.(found, inner, context, words) === true) return undefined;
  if (found.kind !== "text") return wrongType(found, inner, context, expected);
  context.report({ at: found.at, path: inner.path }, "CAT002", "unknown", {
    found: describeNode(found),
    nearest: nearestText(found.value, words),
    allowed: nameList(words, found.value),
  });
  return undefined;
}
