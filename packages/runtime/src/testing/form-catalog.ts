import type { Catalog } from "@plasm/core";
import { catalogOf } from "./fixture-run.ts";

/** The overlay of {@link forms}: an entity per form, its columns as fields. */
export const PER_FORM = `
  source: { capability: form_query }
  projection: { mode: per_scope_entity, items_path: [forms] }
  entity:
    from_template: Entry
    name: { template: "Entry__{{ row.title | sanitize_identifier }}" }
    scope_key: { template: "{{ row.id }}" }
    expression_aliases: [{ template: "{{ row.title }}Entry" }]
    static_fields: { form: { template: "{{ row.id }}", value_ref: text } }
    dynamic_fields:
      from: { kind: array, path: [columns] }
      skip: { wire_name_path: [key], values_in: [internal] }
      wire_name_path: [key]
      wire_type_path: [type]
      name: { template: "{{ field.key | sanitize_identifier }}" }
      type_map: { int: count, when: day }
      default: text
      extract: { kind: path_segments, segments: [cells, "{{ field.key }}"] }
  decode: { scope: { params: [form], key: { template: "{{ ambient.form }}" } }, capabilities: [entry_query, entry_get] }
`;

const domain = (overlay: string): string => `
version: 1
http_backend: http://127.0.0.1:1
values:
  text: { type: string, string_semantics: short }
  count: { type: integer }
  day: { type: date, value_format: iso8601_date }
entities:
  Form: { id_field: id, fields: { id: { value_ref: text }, title: { value_ref: text } } }
  Entry:
    id_field: id
    fields: { id: { value_ref: text }, title: { value_ref: text } }
capabilities:
  form_query: { kind: query, entity: Form }
  form_get: { kind: get, entity: Form }
  entry_query:
    kind: query
    entity: Entry
    parameters: [{ name: form, value_ref: text, required: true, role: scope }, { name: open, value_ref: text }]
    provides: [id, title]
  entry_get: { kind: get, entity: Entry, parameters: [{ name: form, value_ref: text, required: true, role: scope }] }
  entry_close:
    kind: action
    entity: Entry
    output: { type: side_effect, description: it is closed }
schema_overlay: ${overlay}
`;

const at = (...parts: readonly string[]): string =>
  `[${parts.map((part) => (part.startsWith("$") ? `{ type: var, name: ${part.slice(1)} }` : `{ type: literal, value: ${part} }`)).join(", ")}]`;

const MAPPINGS = `
form_query:
  method: GET
  path: ${at("forms")}
  response: { items: forms }
  pagination: { params: { after: { from_response: next } } }
form_get: { method: GET, path: ${at("forms", "$id")}, response: single }
entry_query:
  method: GET
  path: ${at("forms", "$form", "entries")}
  query: { type: object, fields: [[open, { type: var, name: open }]] }
entry_get: { method: GET, path: ${at("forms", "$form", "entries", "$id")}, response: single }
entry_close: { method: POST, path: ${at("entries", "$id", "close")} }
`;

/** Forms that tenants make themselves, with their entries (RUN-103). */
export const forms = (overlay: string = PER_FORM): Catalog =>
  catalogOf("forms", domain(overlay), MAPPINGS);
