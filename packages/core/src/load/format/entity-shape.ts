import { keyPath, list, setList } from "../shape/list.ts";
import { mapOf } from "../shape/map-of.ts";
import { object, optional, requiredOr, withDefault } from "../shape/object.ts";
import { boolean, text } from "../shape/scalars.ts";
import type { Read } from "../shape/shape.ts";
import { word } from "../shape/word.ts";
import { field } from "./field-shape.ts";
import { relation } from "./relation-shape.ts";

const noTerms: readonly string[] = [];

/** An entry of `entities` (catalog format, section 5). */
export const entity = object({
  description: withDefault(text, ""),
  id_field: optional(text),
  id_from: optional(keyPath),
  id_format: optional(word(["slug", "uuid", "integer", "email", "other"])),
  key_vars: withDefault(list(text), []),
  implicit_request_identity: withDefault(boolean, false),
  fields: requiredOr(mapOf(field, { names: true }), new Map()),
  relations: withDefault(mapOf(relation, { names: true }), new Map()),
  expression_aliases: withDefault(setList(text), []),
  abstract: withDefault(boolean, false),
  domain_projection_examples: withDefault(boolean, true),
  primary_read: optional(text),
  primary_query: optional(text),
  primary_search: optional(text),
  discovery: withDefault(
    object(
      {
        names: withDefault(setList(text), []),
        qualifier_names: withDefault(setList(text), []),
      },
      { synonyms: { qualifier_terms: "qualifier_names" } },
    ),
    { names: noTerms, qualifier_names: noTerms },
  ),
});

export type EntityDoc = Read<typeof entity>;
