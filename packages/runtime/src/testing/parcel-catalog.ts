import type { Catalog } from "@plasm/core";
import { catalogOf } from "./fixture-run.ts";

const domain = (backend: string): string => `
version: 1
http_backend: ${backend}
auth: { scheme: oauth_bearer, hosted_kv: "plasm:outbound:parcels", env: PARCELS }
oauth:
  provider: post-id
  scopes: { read: {}, write: {}, scans: {} }
  requirements:
    capabilities: { parcel_update: { all_of: [read, write] } }
    relations: { Parcel.scans: { any_of: [scans] } }
values:
  text: { type: string, string_semantics: short }
  parcel: { type: entity_ref, target: Parcel }
entities:
  Parcel:
    id_field: id
    fields:
      id: { value_ref: text }
      note: { value_ref: text }
    relations:
      scans:
        target: Scan
        cardinality: many
        materialize: { kind: query_scoped, capability: scan_query, param: parcel }
  Scan:
    id_field: id
    fields: { id: { value_ref: text }, parcel: { value_ref: parcel } }
capabilities:
  parcel_get: { kind: get, entity: Parcel }
  parcel_update:
    kind: update
    entity: Parcel
    parameters: [{ name: note, value_ref: text }]
    provides: [id, note]
  scan_query:
    kind: query
    entity: Scan
    parameters: [{ name: parcel, value_ref: parcel, required: true, role: scope }]
`;

const MAPPINGS = `
parcel_get:
  method: GET
  path: [{ type: literal, value: parcels }, { type: var, name: id }]
  query: { type: object, fields: [[share, { type: var, name: share_token }]] }
  response: single
parcel_update:
  method: PATCH
  path: [{ type: literal, value: parcels }, { type: var, name: id }]
  body: { type: object, fields: [[note, { type: var, name: note }]] }
  response: single
scan_query:
  method: GET
  path: [{ type: literal, value: parcels }, { type: var, name: parcel }, { type: literal, value: scans }]
  response: { items: items }
`;

/** Parcels behind scopes: of a capability, and of a relation; a get reads a variable of the session. */
export const parcels = (backend: string): Catalog =>
  catalogOf("parcels", domain(backend), MAPPINGS);
