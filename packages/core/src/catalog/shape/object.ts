import { nameList } from "../../diagnostics/nearest-name.ts";
import { canonicalJson } from "../../base/canonical-json.ts";
import type { Json } from "../../values/value-type.ts";
import { nearestText } from "../reporter.ts";
import type { MapEntry, YamlMap, YamlNode } from "../yaml/node.ts";
import { type FormKeys, type NodePlace, type ReadContext, type Shape, wrongType } from "./shape.ts";

/** A key that must be there. With `recovery` its absence is reported, and the rest is read on. */
export interface RequiredKey<T> {
  readonly presence: "required";
  readonly shape: Shape<T>;
  readonly recovery?: T;
}
/** A key that may be missing, and whose absence means something. */
export interface OptionalKey<T> {
  readonly presence: "optional";
  readonly shape: Shape<T>;
}
/** A key with a default. */
export interface DefaultKey<T> {
  readonly presence: "default";
  readonly shape: Shape<T>;
  readonly fallback: T;
}

export const required = <T>(shape: Shape<T>): RequiredKey<T> => ({ presence: "required", shape });
export const requiredOr = <T>(shape: Shape<T>, recovery: T): RequiredKey<T> => ({
  presence: "required",
  shape,
  recovery,
});
export const optional = <T>(shape: Shape<T>): OptionalKey<T> => ({ presence: "optional", shape });
export const withDefault = <T>(shape: Shape<T>, fallback: T): DefaultKey<T> => ({
  presence: "default",
  shape,
  fallback,
});

export type ShapeKeys = Readonly<
  Record<string, RequiredKey<unknown> | OptionalKey<unknown> | DefaultKey<unknown>>
>;

type Value<K> = K extends { readonly shape: Shape<infer T> } ? T : never;

type Flat<T> = { readonly [P in keyof T]: T[P] };

/** What an object with these keys reads as. */
export type ObjectOf<K extends ShapeKeys> = Flat<
  { [P in keyof K as K[P]["presence"] extends "optional" ? never : P]: Value<K[P]> } & {
    [P in keyof K as K[P]["presence"] extends "optional" ? P : never]?: Value<K[P]>;
  }
>;

export interface ObjectOptions {
  /** Other spellings of a key, to its long form. */
  readonly synonyms?: Readonly<Record<string, string>>;
  /** A key read elsewhere, allowed here: the tag of a tagged object. */
  readonly also?: readonly string[];
  /** Reports a missing key under the code of its own rule; without it CAT-003. */
  readonly missing?: MissingReport;
  /** Reports an unknown key under the code of its own rule; without it CAT-001. */
  readonly unknown?: UnknownReport;
}

export type MissingReport = (
  place: NodePlace,
  context: ReadContext,
  key: string,
  expected: string,
) => void;
export type UnknownReport = (entry: MapEntry, place: NodePlace, context: ReadContext) => boolean;

/** A map with the keys the format lists. */
export function object<const K extends ShapeKeys>(
  keys: K,
  options: ObjectOptions = {},
): Shape<ObjectOf<K>> {
  const expected = `a map with ${Object.keys(keys).join(", ")}`;
  return {
    expected,
    form: {
      kind: "object",
      keys: () => formKeys(keys),
      synonyms: options.synonyms ?? {},
      also: options.also ?? [],
    },
    read: (node, place, context) => {
      if (node.kind !== "map") return wrongType(node, place, context, expected);
      reportDuplicateKeys(node, place, context);
      const entries = longKeys(node, place, context, options);
      reportUnknown(entries, place, context, keys, options);
      return readKeys(entries, place, context, keys, options) as ObjectOf<K> | undefined;
    },
    canonical: (value) => canonicalKeys(value as Readonly<Record<string, unknown>>, keys),
  };
}

function formKeys(keys: ShapeKeys): FormKeys {
  return Object.fromEntries(
    Object.entries(keys).map(([key, spec]) => {
      const { shape, presence } = spec;
      const known = { form: shape.form, required: presence === "required" };
      return [
        key,
        presence === "default" ? { ...known, fallback: shape.canonical(spec.fallback) } : known,
      ];
    }),
  );
}

function longKeys(
  node: YamlMap,
  place: NodePlace,
  context: ReadContext,
  options: ObjectOptions,
): ReadonlyMap<string, MapEntry> {
  const synonyms = options.synonyms ?? {};
  const entries = new Map<string, MapEntry>();
  for (const entry of node.entries.values()) {
    const key = Object.hasOwn(synonyms, entry.key) ? (synonyms[entry.key] ?? entry.key) : entry.key;
    const first = entries.get(key);
    if (first !== undefined) {
      const at = { at: entry.keyAt, path: [...place.path, entry.key] };
      const params = { found: key, first: context.position(first.keyAt) };
      context.report(at, "CAT004", "again", params);
    }
    entries.set(key, entry);
  }
  return entries;
}

function reportUnknown(
  entries: ReadonlyMap<string, MapEntry>,
  place: NodePlace,
  context: ReadContext,
  keys: ShapeKeys,
  options: ObjectOptions,
): void {
  const allowed = [...(options.also ?? []), ...Object.keys(keys)];
  for (const [key, entry] of entries) {
    if (allowed.includes(key) || key.startsWith("x-")) continue;
    if (options.unknown?.(entry, place, context) === true) continue;
    context.report({ at: entry.keyAt, path: [...place.path, entry.key] }, "CAT001", "unknown", {
      found: entry.key,
      nearest: nearestText(entry.key, allowed),
      allowed: nameList([...allowed, ...Object.keys(options.synonyms ?? {})], entry.key),
    });
  }
}

function readKeys(
  entries: ReadonlyMap<string, MapEntry>,
  place: NodePlace,
  context: ReadContext,
  keys: ShapeKeys,
  options: ObjectOptions,
): Readonly<Record<string, unknown>> | undefined {
  const values: Record<string, unknown> = {};
  let whole = true;
  for (const [key, spec] of Object.entries(keys)) {
    const entry = entries.get(key);
    const inner = entry && { path: [...place.path, entry.key], keyAt: entry.keyAt };
    const value = entry && inner && spec.shape.read(entry.value, inner, context);
    if (value !== undefined) values[key] = value;
    else if (spec.presence === "default") values[key] = spec.fallback;
    else if (spec.presence === "required") {
      if (spec.recovery === undefined) whole = false;
      else values[key] = spec.recovery;
      if (entry === undefined) reportMissing(place, context, key, spec.shape.expected, options);
    }
  }
  return whole ? values : undefined;
}

function reportMissing(
  place: NodePlace,
  context: ReadContext,
  key: string,
  expected: string,
  options: ObjectOptions,
): void {
  if (options.missing !== undefined) return options.missing(place, context, key, expected);
  const at = { at: place.keyAt, path: [...place.path, key] };
  context.report(at, "CAT003", "missing", { key, expected });
}

function canonicalKeys(value: Readonly<Record<string, unknown>>, keys: ShapeKeys): Json {
  const result: Record<string, Json> = {};
  for (const [key, spec] of Object.entries(keys)) {
    const member = value[key];
    if (member === undefined) continue;
    const canonical = spec.shape.canonical(member);
    if (spec.presence === "default") {
      const fallback = canonicalJson(spec.shape.canonical(spec.fallback));
      if (canonicalJson(canonical) === fallback) continue;
    }
    result[key] = canonical;
  }
  return result;
}

/** The entry of a key in a node that may be no map. */
export function entryOf(node: YamlNode, key: string): MapEntry | undefined {
  return node.kind === "map" ? node.entries.get(key) : undefined;
}

/** Reports each key that stands in a map twice (CAT-004). */
export function reportDuplicateKeys(node: YamlMap, place: NodePlace, context: ReadContext): void {
  for (const { key, first, again } of node.duplicates) {
    context.report({ at: again, path: [...place.path, key] }, "CAT004", "again", {
      found: key,
      first: context.position(first),
    });
  }
}

/** Reports each key that stands twice in a map of a value of any form (CAT-004). */
export function reportDuplicatesWithin(
  node: YamlNode,
  place: NodePlace,
  context: ReadContext,
): void {
  if (node.kind === "map") {
    reportDuplicateKeys(node, place, context);
    for (const { key, keyAt, value } of node.entries.values()) {
      reportDuplicatesWithin(value, { path: [...place.path, key], keyAt }, context);
    }
  } else if (node.kind === "list") {
    node.items.forEach((item, at) => {
      reportDuplicatesWithin(item, { path: [...place.path, at], keyAt: item.at }, context);
    });
  }
}
