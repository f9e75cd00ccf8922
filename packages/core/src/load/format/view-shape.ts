import { list } from "../shape/list.ts";
import { mapOf } from "../shape/map-of.ts";
import { object, optional, required, withDefault } from "../shape/object.ts";
import { anything, boolean, text } from "../shape/scalars.ts";
import type { Read } from "../shape/shape.ts";
import { tagged } from "../shape/tagged.ts";
import { word } from "../shape/word.ts";

const bind = tagged("kind", {
  scope: { param: required(text) },
  literal: { value: required(anything) },
  node_field: { node: required(text), field: required(text) },
  computed: { template: required(text) },
});

const nodeField = { node: required(text), field: required(text) };

const output = tagged("kind", {
  scope: { param: required(text) },
  node_row_count: { node: required(text) },
  node_row_count_positive: { node: required(text) },
  node_field: nodeField,
  node_field_histogram_json: nodeField,
  node_any_row_field_equals: { ...nodeField, equals: required(anything) },
  computed: { template: required(text) },
});

const where = {
  node: required(text),
  where_field: required(text),
  equals: required(anything),
};

const relationBinding = tagged("kind", {
  first_node_row_where: where,
  node_rows_where: where,
  node_all_rows: { node: required(text) },
  node_single_row: { node: required(text) },
});

/** An entry of `views` (catalog format, section 10). */
export const view = object({
  description: withDefault(text, ""),
  capability: required(text),
  entity: required(text),
  scope: withDefault(
    list(
      object({
        name: required(text),
        value_ref: required(text),
        required: withDefault(boolean, false),
        inject: optional(word(["session_ui_origin", "session_transport_origin"])),
      }),
    ),
    [],
  ),
  nodes: withDefault(
    list(
      object({
        id: required(text),
        capability: required(text),
        bind: withDefault(mapOf(bind), new Map()),
      }),
    ),
    [],
  ),
  output: withDefault(mapOf(output), new Map()),
  relation_outputs: withDefault(
    list(
      object({
        relation: required(text),
        target: required(text),
        cardinality: required(word(["one", "many"])),
        binding: required(relationBinding),
      }),
    ),
    [],
  ),
});

export type ViewDoc = Read<typeof view>;
