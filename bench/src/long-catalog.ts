/** The files of a catalog, as an author writes them. */
export interface CatalogFiles {
  readonly domain: string;
  readonly mappings: string;
  /** lines of both */
  readonly lines: number;
}

const VALUES = `version: 1
http_backend: https://api.long.example
values:
  id: { type: integer }
  text: { type: string, string_semantics: short }
  state: { type: select, allowed_values: [open, done] }
  when: { type: date, value_format: rfc3339 }
`;

const entityText = (name: string, before: string): string => `  ${name}:
    description: a ${name.toLowerCase()} of the register
    id_field: id
    fields:
      id: { value_ref: id, required: true }
      name: { value_ref: text, description: what it is called }
      state: { value_ref: state }
      changed: { value_ref: when, path: meta.changed_at }
      before: { value_ref: ref_${before.toLowerCase()} }
    relations:
      followers:
        target: ${name}
        cardinality: many
        materialize: { kind: query_scoped, capability: ${name.toLowerCase()}_query, param: before }
`;

const capabilityText = (name: string, before: string): string => {
  const of = name.toLowerCase();
  return `  ${of}_query:
    kind: query
    entity: ${name}
    description: ${of}s by state
    parameters:
      - { name: state, value_ref: state }
      - { name: before, value_ref: ref_${before.toLowerCase()} }
  ${of}_get:
    kind: get
    entity: ${name}
  ${of}_close:
    kind: action
    entity: ${name}
    parameters:
      - { name: note, value_ref: text, required: true }
    output: { type: side_effect, description: closes it for good }
`;
};

const mappingText = (of: string): string => `${of}_query:
  method: GET
  path:
    - { type: literal, value: ${of}s }
  query:
    type: object
    fields:
      - [state, { type: var, name: state }]
      - [before, { type: var, name: before }]
  response: items_list
  pagination:
    params: { page: { counter: 1 }, per_page: { fixed: 50 } }
${of}_get:
  method: GET
  path:
    - { type: literal, value: ${of}s }
    - { type: var, name: id }
${of}_close:
  method: POST
  path:
    - { type: literal, value: ${of}s }
    - { type: var, name: id }
    - { type: literal, value: close }
  body:
    type: object
    fields:
      - [note, { type: var, name: note }]
`;

/** A catalog of about as many lines, all of its parts used. */
export function longCatalog(lines: number): CatalogFiles {
  const each = (entityText("A", "A") + capabilityText("A", "A") + mappingText("a")).split(
    "\n",
  ).length;
  const names = Array.from({ length: Math.ceil(lines / each) }, (_none, at) => `Thing${at}`);
  const before = (at: number): string => names[Math.max(0, at - 1)] ?? "";
  const references = names.map(
    (name) => `  ref_${name.toLowerCase()}: { type: entity_ref, target: ${name} }\n`,
  );
  const domain = [
    VALUES,
    ...references,
    "entities:\n",
    ...names.map((name, at) => entityText(name, before(at))),
    "capabilities:\n",
    ...names.map((name, at) => capabilityText(name, before(at))),
  ].join("");
  const mappings = names.map((name) => mappingText(name.toLowerCase())).join("");
  return { domain, mappings, lines: (domain + mappings).split("\n").length - 1 };
}
