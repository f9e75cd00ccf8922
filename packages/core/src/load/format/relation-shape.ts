import { setList, list } from "../shape/list.ts";
import { mapOf } from "../shape/map-of.ts";
import { object, optional, required, withDefault } from "../shape/object.ts";
import { number, onlyTrue, scalarText, text } from "../shape/scalars.ts";
import type { Read } from "../shape/shape.ts";
import { tagged } from "../shape/tagged.ts";
import { word } from "../shape/word.ts";

const bindings = { capability: required(text), bindings: required(mapOf(text)) };

export const materialize = tagged("kind", {
  unavailable: {},
  from_parent_get: {
    path: required(list(object({ key: optional(scalarText), wildcard: optional(onlyTrue) }))),
    key_into: optional(scalarText),
    value_into: optional(scalarText),
  },
  query_scoped: { capability: required(text), param: required(text) },
  query_scoped_bindings: bindings,
  get_scoped_bindings: bindings,
});

export type MaterializeDoc = Read<typeof materialize>;

/** An entry of an entity's `relations` (catalog format, section 6). */
export const relation = object({
  target: required(text),
  cardinality: required(word(["one", "many"])),
  description: withDefault(text, ""),
  materialize: withDefault(materialize, { kind: "unavailable" }),
  discovery: withDefault(
    object({
      qualifier_terms: withDefault(setList(text), []),
      traversal_weight: optional(number),
    }),
    { qualifier_terms: [] },
  ),
});

export type RelationDoc = Read<typeof relation>;
