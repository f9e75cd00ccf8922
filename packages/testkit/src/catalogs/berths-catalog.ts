/** Texts of a catalog, as its files have them. */
interface CatalogTexts {
  readonly domain: string;
  readonly mappings: string;
}

const DOMAIN = `
version: 1
http_backend: https://berths.example
values:
  text: { type: string, string_semantics: short }
  metres: { type: number }
  day: { type: date, value_format: iso8601_date }
  state: { type: select, allowed_values: [free, taken] }
  words: { type: array, items: { value_ref: text } }
entities:
  Berth:
    id_field: id
    fields:
      id: { value_ref: text }
      name: { value_ref: text }
      depth: { value_ref: metres }
      since: { value_ref: day }
      state: { value_ref: state }
      tags: { value_ref: words }
      changed: { value_ref: metres }
capabilities:
  berth_query: { kind: query, entity: Berth, parameters: [{ name: state, value_ref: state }] }
  berth_get: { kind: get, entity: Berth }
  berth_dig:
    kind: create
    entity: Berth
    parameters:
      - { name: id, value_ref: text, required: true }
      - { name: name, value_ref: text }
      - { name: depth, value_ref: metres }
      - { name: since, value_ref: day }
      - { name: state, value_ref: state }
      - { name: tags, value_ref: words }
    provides: [id, name, depth, since, state, tags, changed]
    undo: berth_fill
  berth_fill: { kind: delete, entity: Berth, undo: berth_dig }
  berth_update:
    kind: update
    entity: Berth
    parameters:
      - { name: name, value_ref: text }
      - { name: depth, value_ref: metres }
      - { name: since, value_ref: day }
      - { name: tags, value_ref: words }
    provides: [id, name, depth, since, state, tags, changed]
    undo: restore
  berth_label:
    kind: update
    entity: Berth
    description: change its label without an answer
    parameters: [{ name: text, value_ref: text }]
    undo: { by: restore, args: { text: name } }
  berth_take:
    kind: action
    entity: Berth
    provides: [id, state, changed]
    undo: berth_leave
  berth_leave:
    kind: action
    entity: Berth
    provides: [id, state, changed]
    undo: berth_take
  berth_ring:
    kind: action
    entity: Berth
    output: { type: side_effect, description: a bell rings }
    undo: none
  berth_sweep:
    kind: action
    entity: Berth
    output: { type: side_effect, description: it is swept }
`;

const on = (method: string, sub: string, body: readonly string[] = []): string => {
  const path = `[{ type: literal, value: berths }, { type: var, name: id }${sub === "" ? "" : `, { type: literal, value: ${sub} }`}]`;
  const fields = body.map((name) => `[${name}, { type: var, name: ${name} }]`).join(", ");
  const sent = body.length === 0 ? "" : `, body: { type: object, fields: [${fields}] }`;
  return `{ method: ${method}, path: ${path}${sent}, response: single }`;
};

const MAPPINGS = `
berth_query: { method: GET, path: [{ type: literal, value: berths }], query: { type: object, fields: [[state, { type: var, name: state }]] }, response: { items: items } }
berth_get: ${on("GET", "")}
berth_dig: ${on("PUT", "", ["name", "depth", "since", "state", "tags"])}
berth_fill: ${on("DELETE", "")}
berth_update: ${on("PATCH", "", ["name", "depth", "since", "tags"])}
berth_label: ${on("POST", "label", ["text"])}
berth_take: ${on("POST", "take")}
berth_leave: ${on("POST", "leave")}
berth_ring: ${on("POST", "ring")}
berth_sweep: ${on("POST", "sweep")}
`;

/** The catalog of berths: it says of each effect but one what takes it back, in every way there is. */
export const berthsCatalog: CatalogTexts = Object.freeze({ domain: DOMAIN, mappings: MAPPINGS });
