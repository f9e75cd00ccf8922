import type { Json } from "../../values/value-type.ts";
import { nameList } from "../../diagnostics/nearest-name.ts";
import { nearestText } from "../reporter.ts";
import { describeNode } from "../yaml/convert.ts";
import type { YamlNode } from "../yaml/node.ts";
import { entryOf, type ShapeKeys, object, type ObjectOf, type ObjectOptions } from "./object.ts";
import { type Form, type NodePlace, type ReadContext, type Shape, wrongType } from "./shape.ts";

type Variants = Readonly<Record<string, ShapeKeys>>;

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
    place: NodePlace,
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
  place: NodePlace,
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

/** What a map reads as whose word is the name of a registered function. */
type FunctionOf<K extends ShapeKeys> = {
  readonly kind: "function";
  readonly function: string;
} & ObjectOf<K>;

/** A map told apart by `kind`, whose word may be the name of a registered function, too (RUN-105). */
export function orFunction<T extends { readonly kind: string }, const K extends ShapeKeys>(
  core: Shape<T>,
  keys: K,
  options: ObjectOptions = {},
): Shape<T | FunctionOf<K>> {
  const called = object(keys, { ...options, also: ["kind"] });
  return {
    expected: core.expected,
    form: withCalled(core.form, called.form),
    read: (node, place, context) => {
      const kind = entryOf(node, "kind")?.value;
      if (kind?.kind !== "text" || !context.functions.includes(kind.value)) {
        return core.read(node, place, context);
      }
      const read = called.read(node, place, context);
      return read && { kind: "function", function: kind.value, ...read };
    },
    canonical: (value) => {
      if (!isCall(value)) return core.canonical(value);
      const rest = called.canonical(value) as Readonly<Record<string, Json>>;
      return { kind: value.function, ...rest };
    },
  };
}

/** The form of a tagged map whose word may be the name of a registered function. */
export const withCalled = (form: Form, called: Form): Form =>
  form.kind === "tagged" ? { ...form, called } : form;

/** No form has the kind `function`: a call alone reads as it. */
function isCall<T extends { readonly kind: string }, C extends { readonly kind: "function" }>(
  value: T | C,
): value is C {
  return value.kind === "function";
}
