import { canonicalJson } from "../../base/canonical-json.ts";
import { compareCodePoints } from "../../base/text.ts";
import type { Json } from "../../values/value-type.ts";
import { scalarTextShape } from "./scalars.ts";
import { type NodePlace, type ReadContext, type Shape, wrongType } from "./shape.ts";
import type { YamlNode } from "../yaml/node.ts";
import { reportDuplicateKeys } from "./object.ts";

/** A list; broken elements are reported and left out. */
export function list<T>(element: Shape<T>): Shape<readonly T[]> {
  const expected = `a list, each ${element.expected}`;
  return {
    expected,
    form: { kind: "list", each: element.form },
    read: (node, place, context) => {
      if (node.kind !== "list") return wrongType(node, place, context, expected);
      return node.items.flatMap((item, at) => {
        const value = element.read(item, { path: [...place.path, at], keyAt: item.at }, context);
        return value === undefined ? [] : [value];
      });
    },
    canonical: (value) => value.map((item) => element.canonical(item)),
  };
}

/** A list whose order and repetition have no meaning: the digest sees it sorted and distinct (RUN-170). */
export function setList<T>(element: Shape<T>): Shape<readonly T[]> {
  const ordered = list(element);
  return {
    ...ordered,
    canonical: (value) => {
      const byText = new Map<string, Json>();
      for (const item of value) {
        const canonical = element.canonical(item);
        byText.set(canonicalJson(canonical), canonical);
      }
      return [...byText].sort(([a], [b]) => compareCodePoints(a, b)).map(([, item]) => item);
    },
  };
}

const PATH = "a path: a list of keys, or dotted text";
const keys = list(scalarTextShape);

/** A path of keys: a list, or dotted text. */
export const keyPath: Shape<readonly string[]> = {
  expected: PATH,
  form: { kind: "either", forms: [keys.form, { kind: "text" }, { kind: "number" }] },
  read: (node, place, context) => {
    if (node.kind === "list") return keys.read(node, place, context);
    if (node.kind === "number") return node.source.split(".");
    if (node.kind !== "text" || node.value === "") return wrongType(node, place, context, PATH);
    return node.value.split(".");
  },
  canonical: (value) => value,
};

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

interface MapOptions {
  /** The keys are names (CAT-017); such starting `x-` are ignored (CAT-001). */
  readonly names?: boolean;
  /** The keys are the author's own words: such starting `x-` are ignored (CAT-001). */
  readonly own?: boolean;
}

/** A map from names the author chooses; broken entries are reported and left out. */
export function mapOf<T>(value: Shape<T>, options: MapOptions = {}): Shape<ReadonlyMap<string, T>> {
  const expected = `a map of names, each ${value.expected}`;
  return {
    expected,
    form: {
      kind: "map",
      each: value.form,
      names: options.names === true,
      own: options.names === true || options.own === true,
    },
    read: (node, place, context) => {
      if (node.kind !== "map") return wrongType(node, place, context, expected);
      reportDuplicateKeys(node, place, context);
      const result = new Map<string, T>();
      const own = options.names === true || options.own === true;
      for (const entry of node.entries.values()) {
        if (own && entry.key.startsWith("x-")) continue;
        const inner = { path: [...place.path, entry.key], keyAt: entry.keyAt };
        if (options.names === true) checkName(entry.key, inner, context);
        const read = value.read(entry.value, inner, context);
        if (read !== undefined) result.set(entry.key, read);
      }
      return result;
    },
    canonical: (map) =>
      Object.fromEntries([...map].map(([key, entry]) => [key, value.canonical(entry)])),
  };
}

/** Reports a key that is no name (CAT-017). */
function checkName(name: string, place: NodePlace, context: ReadContext): void {
  if (NAME.test(name)) return;
  const found = JSON.stringify(name);
  context.report({ at: place.keyAt, path: place.path }, "CAT017", "form", { found });
}

/** A name (CAT-017). */
export const name: Shape<string> = {
  expected: "a name",
  form: { kind: "name" },
  read: (node: YamlNode, place, context) => {
    if (node.kind !== "text") return wrongType(node, place, context, "a name");
    checkName(node.value, { path: place.path, keyAt: node.at }, context);
    return node.value;
  },
  canonical: (value) => value,
};

/** A shape that contains itself. */
export function lazy<T>(expected: string, shape: () => Shape<T>): Shape<T> {
  return {
    expected,
    form: { kind: "later", form: () => shape().form },
    read: (node, place, context) => shape().read(node, place, context),
    canonical: (value) => shape().canonical(value),
  };
}

/** A shape with another long form: shorthands and synonyms become it when read. */
export function normalised<T>(shape: Shape<T>, normalise: (value: T) => T): Shape<T> {
  return {
    expected: shape.expected,
    form: shape.form,
    read: (node, place, context) => {
      const value = shape.read(node, place, context);
      return value === undefined ? undefined : normalise(value);
    },
    canonical: (value) => shape.canonical(value),
  };
}
