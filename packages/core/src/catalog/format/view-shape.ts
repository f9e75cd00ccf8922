import { keyPath, list, mapOf, setList } from "../shape/lists.ts";
import { object, optional, required, withDefault } from "../shape/object.ts";
import { anything, boolean, scalarTextShape, text, word } from "../shape/scalars.ts";
import type { Read, Shape } from "../shape/shape.ts";
import { tagged } from "../shape/tagged.ts";

const template = object({ template: required(text) });

/** What a parameter of a source is given: template text, as a map like other templates, or a plain value. */
const bound: Shape<string> = {
  expected: "template text",
  form: { kind: "either", forms: [scalarTextShape.form, template.form] },
  read: (node, place, context) =>
    node.kind === "map"
      ? template.read(node, place, context)?.template
      : scalarTextShape.read(node, place, context),
  canonical: (value) => value,
};

const step = object({
  capability: required(text),
  collect: optional(text),
  items_path: optional(keyPath),
  for_each: optional(text),
  bind: withDefault(mapOf(bound), new Map()),
  merge: optional(tagged("kind", { append_array: { path: required(keyPath) } })),
});

const source = object({
  capability: optional(text),
  bind: withDefault(mapOf(bound), new Map()),
  steps: optional(list(step)),
});

const modeWord = word(["per_scope_entity", "augment_base"]);

/** A projection mode; the reserved one has a rule of its own (CAT-151). */
const mode: Shape<Read<typeof modeWord>> = {
  expected: modeWord.expected,
  form: modeWord.form,
  read: (node, place, context) => {
    if (node.kind !== "text" || node.value !== "column_schema") {
      return modeWord.read(node, place, context);
    }
    context.report({ at: node.at, path: place.path }, "CAT151", "reserved", {});
    return undefined;
  },
  canonical: (value) => value,
};

const extract = tagged("kind", {
  top_level_key: {},
  path_segments: { segments: required(list(scalarTextShape)) },
  name_value_array: {
    array_path: required(keyPath),
    match_key_field: required(text),
    match_equals: required(template),
    value_field: withDefault(text, "value"),
  },
});

const dynamicFields = object({
  from: required(
    tagged("kind", { array: { path: required(keyPath) }, object_map: { path: required(keyPath) } }),
  ),
  skip: optional(
    object({ wire_name_path: required(keyPath), values_in: required(list(scalarTextShape)) }),
  ),
  wire_name_path: required(keyPath),
  wire_type_path: required(keyPath),
  name: required(template),
  type_map: withDefault(mapOf(text), new Map()),
  default: required(text),
  extract: required(extract),
});

/** `schema_overlay` (catalog format, section 12). */
export const overlay = object({
  source: required(source),
  projection: required(
    object({
      mode: required(mode),
      items_path: required(keyPath),
      nested_items_path: optional(keyPath),
    }),
  ),
  entity: required(
    object({
      from_template: required(text),
      name: optional(template),
      scope_key: optional(template),
      expression_aliases: withDefault(setList(template), []),
      static_fields: withDefault(
        mapOf(object({ template: required(text), value_ref: required(text) }), { names: true }),
        new Map(),
      ),
      dynamic_fields: optional(dynamicFields),
    }),
  ),
  decode: optional(
    object({
      scope: required(object({ params: withDefault(list(text), []), key: required(template) })),
      capabilities: withDefault(setList(text), []),
    }),
  ),
});

export type OverlayDoc = Read<typeof overlay>;

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
