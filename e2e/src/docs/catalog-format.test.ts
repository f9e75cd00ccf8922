import { loadCatalog } from "@plasm/core/internal";
import { describe, expect, it } from "vitest";
import { blocksOf, pageAt } from "./pages.ts";

/** What stands in backticks on the page: keys, words, and those in examples. */
const told = new Set(
  [...pageAt("docs/catalog-format.md").text.matchAll(/`([^`\n]+)`/g)].flatMap(
    ([, code = ""]) => code.match(/[\w-]+/g) ?? [],
  ),
);

/** The messages on files that have a key `zzz` wherever a map stands, and a word `zzz` wherever one is chosen. */
function messages(domain: string, mappings = "{}"): readonly string[] {
  const { diagnostics } = loadCatalog({
    entryId: "asked",
    domain: { file: "domain.yaml", text: domain },
    mappings: { file: "mappings.yaml", text: mappings },
  });
  return diagnostics.map(({ message }) => message);
}

/** The names that a message lists as allowed. */
const listed = (message: string): readonly string[] => {
  const [, keys = ""] = /(?:Keys allowed here|Allowed): ([^.]*)/.exec(message) ?? [];
  // What stands in words is no key.
  return keys.split(/[,;{}]\s*/).filter((name) => /^[a-z]\w*$/i.test(name));
};

const DOMAIN = (more: string): string => `
http_backend: https://api.example
${more}
entities: { A: { fields: { id: { value_ref: v } } } }
capabilities: { a_get: { kind: get, entity: A } }
`;

const CAPABILITY = (more: string): string =>
  `http_backend: https://api.example\nentities: { A: { fields: {} } }\ncapabilities: { c: { kind: create, entity: A, ${more} } }`;

const ENTITY = (more: string): string =>
  `http_backend: https://api.example\ncapabilities: {}\nentities: { A: { zzz: 1, id_format: zzz, ${more} } }`;

const OVERLAY = (extract: string): string =>
  DOMAIN(
    `schema_overlay: { zzz: 1, source: { zzz: 1, steps: [{ capability: a_get, zzz: 1, merge: { kind: append_array, path: [a], zzz: 1 } }] }, projection: { zzz: 1, mode: zzz, items_path: [a] }, entity: { from_template: A, zzz: 1, static_fields: { f: { template: a, value_ref: v, zzz: 1 } }, dynamic_fields: { zzz: 1, from: { kind: array, path: [a], zzz: 1 }, skip: { wire_name_path: [a], values_in: [], zzz: 1 }, wire_name_path: [a], wire_type_path: [a], name: { template: a, zzz: 1 }, default: v, extract: { ${extract} } } }, decode: { zzz: 1, capabilities: [], scope: { params: [], key: { template: a }, zzz: 1 } } }`,
  );

const WHERE = "node: n, where_field: f, equals: 1";

const DOMAINS: readonly string[] = [
  DOMAIN(
    "zzz: 1\nauth: { scheme: zzz }\nallow_origins: [{ origin: https://b.example, zzz: 1 }]\nvalues: { v: { type: zzz, zzz: 1, string_semantics: zzz, value_format: zzz, items: { value_ref: v, zzz: 1 } } }\noauth: { provider: p, zzz: 1, scopes: { s: { zzz: 1 } }, default_scope_sets: { s: { zzz: 1 } }, requirements: { zzz: 1, capabilities: { c: { zzz: 1 } } } }",
  ),
  ...[
    "none",
    "api_key_header, header: H",
    "api_key_query, param: p",
    "bearer_token",
    "oauth2_client_credentials, token_url: https://t.example",
  ].map((scheme) => DOMAIN(`auth: { scheme: ${scheme}, zzz: 1 }`)),
  ENTITY(
    "discovery: { zzz: 1 }, fields: { f: { value_ref: v, zzz: 1, agent_presentation: zzz, attachment_media: zzz, derive: { type: zzz } } }, relations: { r: { target: A, zzz: 1, cardinality: zzz, discovery: { zzz: 1 }, materialize: { kind: zzz } } }",
  ),
  ENTITY(
    `fields: { ${[
      "segments_after_prefix, prefix: p",
      "name_value_array_lookup, equals: e",
      "object_key_lookup, key: k",
      "colon_pair_prefer_keys_else_block_refs, prefer_keys: [], blocks_key: b, segment: s",
    ]
      .map((type, at) => `f${at}: { value_ref: v, derive: { type: ${type}, zzz: 1 } }`)
      .join(", ")} }`,
  ),
  ENTITY(
    `fields: {}, relations: { ${[
      "unavailable",
      "from_parent_get, path: [{ key: a, zzz: 1 }]",
      "query_scoped, capability: c, param: p",
      "query_scoped_bindings, capability: c, bindings: {}",
      "get_scoped_bindings, capability: c, bindings: {}",
    ]
      .map(
        (kind, at) =>
          `r${at}: { target: A, cardinality: one, materialize: { kind: ${kind}, zzz: 1 } }`,
      )
      .join(", ")} }`,
  ),
  CAPABILITY(
    "zzz: 1, discovery: { zzz: 1 }, scope_aggregate_key_policy: zzz, output: { type: zzz }, preflight: [{ kind: zzz }], parameters: [{ name: p, zzz: 1, role: zzz }], input_schema: { zzz: 1, input_type: { type: zzz }, validation: { zzz: 1, predicates: [{ field_path: f, operator: zzz, value: 1, zzz: 1 }], cross_field_rules: [{ rule_type: zzz, fields: [], zzz: 1 }] } }",
  ),
  "http_backend: https://api.example\nentities: {}\ncapabilities: { c: { kind: zzz, entity: A } }",
  ...[
    "type: none, zzz: 1",
    "type: value, field_type: zzz, zzz: 1",
    "type: object, zzz: 1, fields: [{ name: f, zzz: 1 }]",
    "type: array, zzz: 1, element_type: { type: none }",
    "type: union, zzz: 1, variants: [{ name: v, zzz: 1, wire: { field: f, value: 1, zzz: 1 } }]",
  ].map((type) => CAPABILITY(`input_schema: { input_type: { ${type} } }`)),
  ...[
    "side_effect",
    "entity, entity_type: A",
    "collection, entity_type: A",
    "status",
    "custom, schema: {}",
  ].map((type) => CAPABILITY(`output: { type: ${type}, zzz: 1 }`)),
  CAPABILITY(
    "preflight: [{ kind: hydrate_invoke_target, get: g, prefix: p, zzz: 1 }, { kind: hydrate_entity_ref_param, param: p, get: g, merge: {}, zzz: 1 }, { kind: query_pick, query: q, scope: { p: { zzz: 1, from_preflight: { prefix: p, path: [a], zzz: 1 } } }, pick: { field: f, equals_param: p, zzz: 1 }, merge: {}, zzz: 1 }, { kind: label_ids_delta, add_when: a, remove_when: r, lookup: l, from_preflight: { prefix: p, path: [a] }, zzz: 1 }]",
  ),
  CAPABILITY("preconditions: [{ field: f, eq: 1, zzz: 1 }]"),
  DOMAIN(
    `views: { v: { capability: a_get, entity: A, zzz: 1, scope: [{ name: s, value_ref: v, inject: zzz, zzz: 1 }], nodes: [{ id: n, capability: a_get, zzz: 1, bind: { a: { kind: zzz }, b: { kind: scope, param: p, zzz: 1 }, c: { kind: literal, value: 1, zzz: 1 }, d: { kind: node_field, node: n, field: f, zzz: 1 }, e: { kind: computed, template: t, zzz: 1 } } }], output: { a: { kind: zzz }, b: { kind: node_any_row_field_equals, node: n, field: f, equals: 1, zzz: 1 } }, relation_outputs: [{ relation: r, target: A, cardinality: one, zzz: 1, binding: { kind: zzz } }, { relation: r, target: A, cardinality: one, binding: { kind: node_rows_where, ${WHERE}, zzz: 1 } }] } }`,
  ),
  OVERLAY("kind: zzz"),
  OVERLAY("kind: top_level_key, zzz: 1"),
  OVERLAY("kind: path_segments, segments: [], zzz: 1"),
  OVERLAY(
    "kind: name_value_array, array_path: [a], match_key_field: k, match_equals: { template: t }, zzz: 1",
  ),
];

const MAPPINGS: readonly string[] = [
  "a_get: { transport: zzz }",
  "a_get: { method: zzz, path: [{ type: zzz }], zzz: 1, body_format: zzz, query: { type: zzz }, idempotency: { header: H, zzz: 1 }, multipart: { zzz: 1, parts: [{ name: p, content: { type: var, name: id }, zzz: 1 }] }, response: zzz, pagination: { zzz: 1, location: zzz, params: { p: { zzz: 1 } }, stop_when: { zzz: 1 } } }",
  "a_get: { method: GET, path: [{ type: literal, value: a, zzz: 1 }, { type: var, name: id, encode: zzz, zzz: 1 }], body: { type: object, fields: [[a, { type: if, condition: { type: zzz }, then_expr: { type: const, value: 1, zzz: 1 }, else_expr: { type: join, sep: s, expr: { type: array, elements: [], zzz: 1 }, zzz: 1 }, zzz: 1 }], [b, { type: format, template: t, zzz: 1 }], [c, { type: call, function: f, zzz: 1 }], [d, { type: if, condition: { type: exists, var: id, zzz: 1 }, then_expr: { type: var, name: id }, else_expr: { type: var, name: id } }]], zzz: 1 }, response: { zzz: 1, error_when: [{ path: [a], zzz: 1 }], response_preprocess: { kind: zzz }, auxiliary_merge: { method: GET, path: [], from_path: [a], into_key: k, zzz: 1 } } }",
  ...[
    "array_find_pluck, path: [a], id_field: f, id_var: v, nested_array: n",
    "concat_field_arrays, path: [a], from_each: []",
    "string_ids_to_field_objects, path: [a], field: f",
  ].map(
    (kind) =>
      `a_get: { method: GET, path: [], response: { response_preprocess: { kind: ${kind}, zzz: 1 } } }`,
  ),
  "a_get: { transport: evm_call, chain: 1, contract: { type: const, value: a }, function: f, decode: { f: { type: zzz }, g: { type: input, index: 0, zzz: 1 } }, zzz: 1 }",
  "a_get: { transport: evm_logs, chain: 1, contract: { type: const, value: a }, event: e, decode: { f: { type: zzz }, g: { type: log_meta, key: zzz } }, zzz: 1 }",
];

describe("docs/catalog-format.md", () => {
  const all = [
    ...DOMAINS.map((domain) => messages(domain)),
    ...MAPPINGS.map((mappings) => messages(DOMAIN(""), mappings)),
  ];

  it("each probe meets what it asks for", () => {
    expect(all.filter((said) => said.flatMap(listed).length === 0)).toEqual([]);
  });

  it("its webhooks load, and a key that none has is told", () => {
    const [block] = blocksOf(pageAt("docs/catalog-format.md")).filter(
      ({ kind }) => kind === "yaml webhooks",
    );
    const rest = "{a_get: { method: GET, path: [] }}";
    expect(messages(`${DOMAIN("")}\n${block?.body}`, rest)).toEqual(messages(DOMAIN(""), rest));
    const zzz = `webhooks: { a: { scheme: token, header: A, env: T, zzz: 1 } }`;
    expect(messages(`${DOMAIN("")}\n${zzz}`, rest).flatMap(listed)).toContain("tolerance_seconds");
  });

  it("has every key and word that the loader takes", () => {
    const taken = new Set(all.flat().flatMap(listed));
    expect(taken.size).toBeGreaterThan(150);
    expect([...taken].filter((name) => !told.has(name))).toEqual([]);
  });
});
