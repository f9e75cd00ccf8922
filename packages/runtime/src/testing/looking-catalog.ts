import type { Catalog } from "@plasm/core";
import { catalogOf } from "./fixture-run.ts";

const DOMAIN = `
version: 1
http_backend: http://127.0.0.1:1
values:
  text: { type: string, string_semantics: short }
  texts: { type: array, items: { value_ref: text } }
  depot: { type: entity_ref, target: Depot }
entities:
  Depot:
    id_field: code
    fields: { code: { value_ref: text }, city: { value_ref: text }, phone: { value_ref: text } }
  Carrier:
    id_field: id
    fields: { id: { value_ref: text }, name: { value_ref: text } }
  Label:
    id_field: id
    fields: { id: { value_ref: text }, name: { value_ref: text } }
  Parcel:
    id_field: id
    fields:
      id: { value_ref: text }
      note: { value_ref: text }
      weight: { value_ref: text }
capabilities:
  depot_get: { kind: get, entity: Depot }
  carrier_query:
    kind: query
    entity: Carrier
    parameters: [{ name: region, value_ref: text, required: true }, { name: open, value_ref: text }]
  label_query: { kind: query, entity: Label }
  parcel_query: { kind: query, entity: Parcel }
  parcel_get: { kind: get, entity: Parcel }
  parcel_note:
    kind: update
    entity: Parcel
    parameters: [{ name: note, value_ref: text, required: true }]
    preflight: [{ kind: hydrate_invoke_target, get: parcel_get, prefix: old }]
    output: { type: side_effect, description: it is noted }
  parcel_drop:
    kind: delete
    entity: Parcel
    preflight: [{ kind: hydrate_invoke_target, get: parcel_get, prefix: old }]
  parcel_send:
    kind: action
    entity: Parcel
    parameters:
      - { name: carrier_name, value_ref: text }
      - { name: to, value_ref: depot }
      - { name: speed, value_ref: text }
    preflight:
      - { kind: hydrate_invoke_target, get: parcel_get, prefix: old }
      - { kind: hydrate_entity_ref_param, param: to, get: depot_get, merge: { city: city, phone: phone } }
      - kind: query_pick
        when: carrier_name
        query: carrier_query
        scope: { region: { from_preflight: { prefix: old, path: [at, region] } }, open: { literal: "yes" } }
        pick: { field: name, equals_param: carrier_name }
        merge: { carrierId: id }
    output: { type: side_effect, description: it is sent }
  parcel_create:
    kind: create
    entity: Parcel
    parameters:
      - { name: note, value_ref: text, required: true }
      - { name: carrier_name, value_ref: text, required: true }
      - { name: region, value_ref: text, required: true }
    preflight:
      - kind: query_pick
        query: carrier_query
        scope: { region: { from_param: region } }
        pick: { field: name, equals_param: carrier_name }
        merge: { carrierId: id }
  parcel_label:
    kind: action
    entity: Parcel
    parameters: [{ name: add, value_ref: texts }, { name: remove, value_ref: texts }]
    preflight:
      - { kind: hydrate_invoke_target, get: parcel_get, prefix: old }
      - { kind: label_ids_delta, add_when: add, remove_when: remove, lookup: label_query, from_preflight: { prefix: old, path: [labels] } }
    output: { type: side_effect, description: it is labelled }
`;

const parcel = (rest = ""): string =>
  `[{ type: literal, value: parcels }, { type: var, name: id }${rest}]`;
const to = (name: string): string => parcel(`, { type: literal, value: ${name} }`);
const fields = (...names: readonly string[]): string =>
  `{ type: object, fields: [${names.map((name) => `[${name}, { type: var, name: ${name} }]`).join(", ")}] }`;

const MAPPINGS = `
depot_get: { method: GET, path: [{ type: literal, value: depots }, { type: var, name: code }], response: single }
carrier_query:
  method: GET
  path: [{ type: literal, value: carriers }]
  query: ${fields("region", "open")}
  pagination: { params: { page: { counter: 1 } }, stop_when: { field: more, eq: false } }
label_query: { method: GET, path: [{ type: literal, value: labels }] }
parcel_query: { method: GET, path: [{ type: literal, value: parcels }] }
parcel_get: { method: GET, path: ${parcel()}, response: single }
parcel_note: { method: PUT, path: ${parcel()}, body: ${fields("note", "old_note", "old_weight")} }
parcel_drop: { method: DELETE, path: ${parcel()}, headers: { type: object, fields: [[if-match, { type: var, name: old_weight }]] } }
parcel_send: { method: POST, path: ${to("send")}, body: ${fields("input", "city", "phone", "carrierId")} }
parcel_create: { method: POST, path: [{ type: literal, value: carriers }, { type: var, name: carrierId }, { type: literal, value: parcels }], body: { type: var, name: input }, response: single }
parcel_label: { method: POST, path: ${to("labels")}, body: ${fields("labelIds")} }
`;

/** Parcels whose effects look before they act: every kind of preflight step, with every key (RUN-104). */
export const lookingParcels = (): Catalog => catalogOf("parcels", DOMAIN, MAPPINGS);
