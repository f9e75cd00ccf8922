import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const domain = (url: string): string => `version: 1
label: Ledger
description: entries that are written down, and items to read
http_backend: ${url}
auth: { scheme: none }
values:
  text: { type: string, string_semantics: short }
  count: { type: integer }
entities:
  Item:
    description: an item of a batch
    id_field: id
    fields:
      id: { value_ref: text, required: true }
      mark: { value_ref: text }
      batch: { value_ref: text }
      text: { value_ref: text }
  Entry:
    description: an entry of the ledger
    id_field: id
    fields:
      id: { value_ref: text, required: true }
      mark: { value_ref: text }
capabilities:
  item_query:
    kind: query
    entity: Item
    parameters:
      - { name: batch, value_ref: text, required: true }
      - { name: count, value_ref: count, role: response_control }
      - { name: width, value_ref: count, role: response_control }
  item_get: { kind: get, entity: Item }
  entry_get: { kind: get, entity: Entry }
  entry_create:
    kind: create
    entity: Entry
    parameters: [{ name: mark, value_ref: text, required: true }]
    provides: [id, mark]
  entry_edit:
    kind: update
    entity: Entry
    parameters: [{ name: mark, value_ref: text, required: true }]
    provides: [id, mark]
  entry_stamp:
    kind: action
    entity: Entry
    parameters: [{ name: mark, value_ref: text, required: true }]
    output: { type: side_effect, description: the entry is stamped }
  entry_delete: { kind: delete, entity: Entry }
`;

const MARKED = `{ type: object, fields: [[mark, { type: var, name: mark }]] }`;
const one = (method: string, literal: string, rest = ""): string =>
  `  method: ${method}
  path: [{ type: literal, value: ${literal} }, { type: var, name: id }${rest}]
`;

const MAPPINGS = `item_query:
  method: GET
  path: [{ type: literal, value: items }]
  query:
    type: object
    fields:
      - [batch, { type: var, name: batch }]
      - [count, { type: var, name: count }]
      - [width, { type: var, name: width }]
  response: results_list
item_get:
${one("GET", "items")}  response: single
entry_get:
${one("GET", "entries")}  response: single
entry_create:
  method: POST
  path: [{ type: literal, value: entries }]
  body: ${MARKED}
  response: single
entry_edit:
${one("PATCH", "entries")}  body: ${MARKED}
  response: single
entry_stamp:
${one("POST", "entries", ", { type: literal, value: stamp }")}  body: ${MARKED}
entry_delete:
${one("DELETE", "entries")}`;

/** Writes the catalog of the API at `url` and returns its directory. */
export function writeLedgerCatalog(directory: string, url: string, id = "ledger"): string {
  const path = join(directory, id);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, "domain.yaml"), domain(url));
  writeFileSync(join(path, "mappings.yaml"), MAPPINGS);
  return path;
}
