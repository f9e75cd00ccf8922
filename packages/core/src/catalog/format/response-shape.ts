import { nameList } from "../../diagnostics/nearest-name.ts";
import { nearestText } from "../reporter.ts";
import { keyPath, list, mapOf } from "../shape/lists.ts";
import { orFunction, tagged } from "../shape/tagged.ts";
import { object, optional, required, withDefault } from "../shape/object.ts";
import { anything, boolean, onlyTrue, scalarTextShape, text, word } from "../shape/scalars.ts";
import type { NodePlace, Read, ReadContext, Shape } from "../shape/shape.ts";
import { describeNode } from "../yaml/convert.ts";
import type { YamlNode } from "../yaml/node.ts";
import { path, requestKeys } from "./request-shape.ts";

const keys = list(scalarTextShape);

/** The keys whose arrays are put together; one alone may be text. */
const fromEach: Shape<readonly string[]> = {
  expected: "a list of keys, or one key",
  form: { kind: "either", forms: [keys.form, scalarTextShape.form] },
  read: (node, place, context) => {
    if (node.kind === "list") return keys.read(node, place, context);
    const key = scalarTextShape.read(node, place, context);
    return key === undefined ? undefined : [key];
  },
  canonical: (value) => keys.canonical(value),
};

const PREPROCESS = {
  array_find_pluck: {
    path: required(keyPath),
    id_field: required(text),
    id_var: required(text),
    nested_array: required(text),
  },
  concat_field_arrays: { path: required(keyPath), from_each: required(fromEach) },
  string_ids_to_field_objects: { path: required(keyPath), field: required(text) },
};

const kinds = Object.entries(PREPROCESS)
  .map(([kind, keys]) => `${kind}{${Object.keys(keys).join(", ")}}`)
  .join("; ");

function missingKey(place: NodePlace, context: ReadContext, key: string): void {
  const at = { at: place.keyAt, path: [...place.path, key] };
  context.report(at, "MAP030", "missing", { key, allowed: kinds });
}

function unknownKind(
  node: YamlNode,
  place: NodePlace,
  context: ReadContext,
  words: readonly string[],
): boolean {
  const found = describeNode(node);
  const name = node.kind === "text" ? node.value : "";
  const nearest = nearestText(name, [...words, ...context.functions]);
  const functions = nameList(context.functions, name) || "none";
  const params = { found, nearest, allowed: kinds, functions };
  context.report({ at: node.at, path: place.path }, "MAP030", "kind", params);
  return true;
}

const errorWhen = object({
  path: required(keyPath),
  eq: optional(anything),
  present: optional(onlyTrue),
  message_path: optional(keyPath),
  in_doubt: withDefault(boolean, false),
});

/** What answers say of a failure, for every mapping of a catalog that does not say it itself. */
export const responseDefaults = object({
  error_when: optional(list(errorWhen)),
  message_path: optional(keyPath),
});

export type ResponseDefaultsDoc = Read<typeof responseDefaults>;

const xmlMember = object({
  list: optional(text),
  type: optional(word(["number", "boolean", "object"])),
  from: optional(text),
  map: optional(text),
});

export const responseMap = object({
  xml: optional(mapOf(xmlMember)),
  items: optional(scalarTextShape),
  items_path: optional(keyPath),
  item_inner_key: optional(scalarTextShape),
  key_into: optional(scalarTextShape),
  value_into: optional(scalarTextShape),
  single: withDefault(boolean, false),
  wrap_root_scalar: withDefault(boolean, false),
  response_preprocess: optional(
    orFunction(tagged("kind", PREPROCESS, { missing: missingKey, unknownWord: unknownKind }), {
      sets: withDefault(list(text), []),
    }),
  ),
  auxiliary_merge: optional(
    object({
      ...requestKeys,
      method: required(word(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])),
      path: required(path),
      from_path: required(keyPath),
      into_key: required(text),
    }),
  ),
  error_when: optional(list(errorWhen)),
  message_path: optional(keyPath),
});

export type ResponseDoc = Read<typeof responseMap>;

const plain: ResponseDoc = { single: false, wrap_root_scalar: false };

const SHORTHANDS: ReadonlyMap<string, ResponseDoc> = new Map([
  ["single", { ...plain, single: true }],
  ["bare_list", plain],
  ["results_list", plain],
  ["items_list", { ...plain, items: "items" }],
]);

/** `response`: a map, or one of the text shorthands (mapping format, section 3). */
export const response: Shape<ResponseDoc> = {
  expected: `a map, or one of ${[...SHORTHANDS.keys()].join(", ")}`,
  form: {
    kind: "either",
    forms: [{ kind: "words", words: [...SHORTHANDS.keys()] }, responseMap.form],
  },
  read: (node, place, context) => {
    if (node.kind !== "text") return responseMap.read(node, place, context);
    const shorthand = SHORTHANDS.get(node.value);
    if (shorthand !== undefined) return shorthand;
    context.report({ at: node.at, path: place.path }, "MAP030", "shorthand", {
      found: describeNode(node),
      nearest: nearestText(node.value, SHORTHANDS.keys()),
      allowed: [...SHORTHANDS.keys()].join(", "),
    });
    return undefined;
  },
  canonical: (value) => {
    // The default key written out is the default.
    const { items, ...rest } = value;
    const declared = items === "results" && rest.items_path === undefined ? rest : value;
    return responseMap.canonical(declared);
  },
};
