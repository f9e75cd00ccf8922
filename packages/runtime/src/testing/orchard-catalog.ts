import type { Catalog } from "@plasm/core";
import { catalogOf } from "./fixture-run.ts";

const DOMAIN = `
version: 1
http_backend: http://127.0.0.1:1
values:
  text: { type: string, string_semantics: short }
  count: { type: integer }
  weight: { type: number }
  day: { type: date, value_format: iso8601_date }
  second: { type: date, value_format: unix_sec }
  instant: { type: date, value_format: rfc3339 }
  milli: { type: date, value_format: unix_ms }
  flag: { type: boolean }
  kind: { type: select, allowed_values: [apple, pear] }
  mark: { type: string, string_semantics: short }
  marks: { type: array, items: { value_ref: mark } }
  free: { type: json }
  tree: { type: entity_ref, target: Tree }
  bed: { type: entity_ref, target: Bed }
  file: { type: blob }
entities:
  Tree:
    id_field: id
    fields:
      id: { value_ref: count }
      name: { value_ref: text }
      kind: { value_ref: kind }
      planted: { value_ref: day }
      watered: { value_ref: second }
      weight: { value_ref: weight }
      sick: { value_ref: flag }
      marks: { value_ref: marks }
      data: { value_ref: free }
      parent: { value_ref: tree }
  Bed:
    id_field: no
    key_vars: [garden, no]
    fields:
      garden: { value_ref: text }
      no: { value_ref: count }
      soil: { value_ref: text }
capabilities:
  tree_query: { kind: query, entity: Tree }
  tree_get: { kind: get, entity: Tree }
  tree_create:
    kind: create
    entity: Tree
    parameters:
      - { name: name, value_ref: text, required: true }
      - { name: kind, value_ref: kind }
      - { name: planted, value_ref: day }
      - { name: watered, value_ref: second }
      - { name: weight, value_ref: weight }
      - { name: count, value_ref: count }
      - { name: sick, value_ref: flag }
      - { name: marks, value_ref: marks }
      - { name: data, value_ref: free }
      - { name: parent, value_ref: tree }
  tree_plant:
    kind: create
    entity: Tree
    input_schema:
      input_type:
        type: object
        fields:
          - { name: name, value_ref: text, required: true }
          - { name: due, value_ref: day, wire_json_path: [dates, due] }
          - { name: start, value_ref: day, wire_json_path: [dates, start] }
          - { name: marks, value_ref: marks, wire_array_element_key: name }
          - { name: note, value_ref: text }
      validation:
        predicates:
          - { field_path: name, operator: max_length, value: 5, error_message: a name has at most 5 letters }
          - { field_path: marks, operator: min_length, value: 1 }
          - { field_path: note, operator: min_length, value: 1 }
          - { field_path: start, operator: min_value, value: "2025-01-01", error_message: nothing starts before 2025 }
          - { field_path: note, operator: custom_function, value: is_polite }
        cross_field_rules: [{ rule_type: implies, fields: [due, start] }]
  tree_graft:
    kind: action
    entity: Tree
    input_schema:
      input_type:
        type: union
        variants:
          - { name: cut, wire: { field: op, value: cut }, fields: [{ name: at, value_ref: count, required: true, wire_json_path: [where, at] }] }
          - { name: tie, wire: { field: op, value: tie }, fields: [{ name: with, value_ref: text }] }
    output: { type: side_effect, description: it is grafted }
  tree_put:
    kind: update
    entity: Tree
    parameters: [{ name: name, value_ref: text }]
    provides: [id, name]
  tree_pay:
    kind: action
    entity: Tree
    parameters: [{ name: sum, value_ref: weight, required: true }]
    output: { type: side_effect, description: it is paid for }
  tree_log:
    kind: action
    entity: Tree
    parameters:
      - { name: at, value_ref: instant }
      - { name: planted, value_ref: day }
      - { name: watered, value_ref: second }
      - { name: tick, value_ref: milli }
    output: { type: side_effect, description: it is noted }
  tree_rename:
    kind: update
    entity: Tree
    parameters: [{ name: id, value_ref: count }]
    provides: [id, name]
  tree_form:
    kind: action
    entity: Tree
    parameters: [{ name: name, value_ref: text }, { name: count, value_ref: count }]
    output: { type: side_effect, description: it is written down }
  tree_photo:
    kind: action
    entity: Tree
    parameters: [{ name: photo, value_ref: file, required: true }, { name: name, value_ref: text }]
    output: { type: side_effect, description: it is photographed }
  tree_measure:
    kind: action
    entity: Tree
    output: { type: custom, schema: { any: true } }
  tree_fell: { kind: delete, entity: Tree }
  bed_get: { kind: get, entity: Bed }
  bed_create:
    kind: create
    entity: Bed
    parameters:
      - { name: garden, value_ref: text, role: scope, required: true }
      - { name: soil, value_ref: text }
  bed_dig:
    kind: update
    entity: Bed
    parameters: [{ name: soil, value_ref: text }]
    provides: [soil]
  tree_move:
    kind: action
    entity: Tree
    parameters: [{ name: bed, value_ref: bed, role: scope, required: true }, { name: name, value_ref: text }]
    output: { type: side_effect, description: it stands elsewhere }
`;

const tree = (rest = ""): string =>
  `[{ type: literal, value: trees }, { type: var, name: id }${rest}]`;
const sub = (name: string): string => tree(`, { type: literal, value: ${name} }`);
const fields = (...names: readonly string[]): string =>
  `{ type: object, fields: [${names.map((name) => `[${name}, { type: var, name: ${name} }]`).join(", ")}] }`;
const bed = `[{ type: literal, value: gardens }, { type: var, name: garden }, { type: literal, value: beds }, { type: var, name: no }]`;

const MAPPINGS = `
tree_query: { method: GET, path: [{ type: literal, value: trees }] }
tree_get: { method: GET, path: ${tree()}, response: single }
tree_create:
  method: POST
  path: [{ type: literal, value: trees }]
  body: ${fields("name", "kind", "planted", "watered", "weight", "count", "sick", "marks", "data", "parent")}
  response: single
tree_plant:
  method: POST
  path: [{ type: literal, value: trees }]
  body: { type: var, name: input }
  response: single
tree_graft: { method: POST, path: ${sub("graft")}, body: { type: var, name: input } }
tree_put: { method: PUT, path: ${tree()}, body: ${fields("name")}, response: single }
tree_pay:
  method: POST
  path: ${sub("pay")}
  body: ${fields("sum")}
  idempotency: { header: Idempotency-Key }
tree_log: { method: POST, path: ${sub("log")}, body: ${fields("at", "planted", "watered", "tick")} }
tree_rename: { method: PATCH, path: ${tree()}, body: ${fields("id")}, response: single }
tree_form: { method: POST, path: ${sub("form")}, body_format: form_urlencoded, body: ${fields("name", "count")} }
tree_photo:
  method: POST
  path: ${sub("photo")}
  body_format: multipart
  multipart:
    parts:
      - { name: photo, content_type: { type: const, value: image/png }, content: { type: var, name: photo } }
      - { name: name, content: { type: var, name: name } }
tree_measure: { method: POST, path: ${sub("measure")}, response: { items: sizes } }
tree_fell: { method: DELETE, path: ${tree()} }
bed_get: { method: GET, path: ${bed}, response: single }
bed_create:
  method: POST
  path: [{ type: literal, value: gardens }, { type: var, name: garden }, { type: literal, value: beds }]
  body: ${fields("soil")}
  response: single
bed_dig: { method: PATCH, path: ${bed}, body: ${fields("soil")}, response: single }
tree_move:
  method: PUT
  path: [{ type: literal, value: gardens }, { type: var, name: garden }, { type: literal, value: beds }, { type: var, name: no }, { type: literal, value: trees }, { type: var, name: id }]
  body: { type: var, name: input }
`;

/** An orchard whose capabilities send arguments in every way a mapping can say; `more`: further keys of its domain. */
export const orchard = (more = ""): Catalog => catalogOf("orchard", `${DOMAIN}${more}`, MAPPINGS);
