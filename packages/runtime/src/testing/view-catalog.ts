import type { Catalog } from "@plasm/core";
import { catalogOf } from "./fixture-run.ts";

/** The parts of a test's view `today`, as YAML in flow form; of entity Today, asked by `today_query` or `today_get`. */
export interface ViewParts {
  readonly scope?: string;
  readonly nodes?: string;
  readonly output?: string;
  readonly relations?: string;
  /** further parameters of `today_query` */
  readonly parameters?: string;
  /** what `week` binds of `today` */
  readonly week?: string;
}

const DOMAIN = `version: 1
http_backend: http://127.0.0.1:1
values:
  text: { type: string, string_semantics: short }
  count: { type: integer }
  flag: { type: boolean }
  free: { type: json }
  stage: { type: select, allowed_values: [packed, sent] }
  sender: { type: entity_ref, target: Sender }
entities:
  Parcel:
    id_field: id
    fields:
      id: { value_ref: text }
      stage: { value_ref: stage }
      weight: { value_ref: count }
      sender: { value_ref: sender }
      label: { value_ref: text }
  Sender:
    id_field: login
    fields:
      login: { value_ref: text }
      name: { value_ref: text }
  Today:
    id_field: depot
    fields:
      depot: { value_ref: text }
      count: { value_ref: count }
      other: { value_ref: count }
      some: { value_ref: flag }
      text: { value_ref: text }
      more: { value_ref: text }
      sender: { value_ref: sender }
    relations:
      parcels: { target: Parcel, cardinality: many }
      first: { target: Parcel, cardinality: one }
  Week:
    id_field: depot
    fields:
      depot: { value_ref: text }
      count: { value_ref: count }
      text: { value_ref: text }
    relations:
      days: { target: Today, cardinality: many }
capabilities:
  parcel_query:
    kind: query
    entity: Parcel
    parameters:
      - { name: depot, value_ref: text }
      - { name: stage, value_ref: stage }
      - { name: weight, value_ref: count }
    provides: [id, stage, weight, sender]
  parcel_get: { kind: get, entity: Parcel }
  parcel_sent:
    kind: query
    entity: Parcel
    parameters: [{ name: sender, value_ref: sender, role: scope, required: true }]
  sender_get: { kind: get, entity: Sender }
  today_query:
    kind: query
    entity: Today
    parameters: [{ name: depot, value_ref: text, role: scope }PARAMETERS]
  today_get: { kind: get, entity: Today }
  today_list:
    kind: query
    entity: Today
    parameters: [{ name: region, value_ref: text, required: true }]
    provides: [depot]
  week_query:
    kind: query
    entity: Week
    parameters: [{ name: depot, value_ref: text, role: scope, required: true }]
`;

const MAPPINGS = `parcel_query:
  method: GET
  path: [{ type: literal, value: parcels }]
  query:
    type: object
    fields: [[depot, { type: var, name: depot }], [stage, { type: var, name: stage }], [weight, { type: var, name: weight }]]
  pagination: { params: { page: { counter: 1 }, size: { fixed: 2 } } }
parcel_get: { method: GET, path: [{ type: literal, value: parcels }, { type: var, name: id }] }
parcel_sent: { method: GET, path: [{ type: literal, value: senders }, { type: var, name: sender }, { type: literal, value: parcels }] }
sender_get: { method: GET, path: [{ type: literal, value: senders }, { type: var, name: login }] }
today_query: { transport: view, view: today }
today_get: { transport: view, view: today }
today_list: { method: GET, path: [{ type: literal, value: depots }, { type: var, name: region }] }
week_query: { transport: view, view: week }
`;

const OPEN =
  "{ id: open, capability: parcel_query, bind: { depot: { kind: scope, param: depot } } }";

const WEEK = `  week:
    capability: week_query
    entity: Week
    scope: [{ name: depot, value_ref: text, required: true }]
    nodes: [{ id: day, capability: today_query, bind: { BIND } }]
    output:
      depot: { kind: scope, param: depot }
      count: { kind: node_field, node: day, field: count }
      text: { kind: node_field, node: day, field: text }
    relation_outputs: [{ relation: days, target: Today, cardinality: many, binding: { kind: node_all_rows, node: day } }]
`;

/** A catalog of parcels with a view `today` of these parts, and a view `week` of that one. */
export function viewCatalog(parts: ViewParts): Catalog {
  const view = `views:
  today:
    capability: today_query
    entity: Today
    scope: ${parts.scope ?? "[{ name: depot, value_ref: text, required: true }]"}
    nodes: ${parts.nodes ?? `[${OPEN}]`}
    output: ${parts.output ?? "{ depot: { kind: scope, param: depot }, count: { kind: node_row_count, node: open } }"}
    relation_outputs: ${parts.relations ?? "[]"}
${WEEK.replace("BIND", parts.week ?? "depot: { kind: scope, param: depot }")}`;
  const domain = DOMAIN.replace("PARAMETERS", parts.parameters ?? "") + view;
  return catalogOf("parcels", domain, MAPPINGS);
}
