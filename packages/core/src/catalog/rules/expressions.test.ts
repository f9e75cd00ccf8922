import { type CatalogPatch, patchedCatalog } from "@plasm/testkit";
import { expect, test } from "vitest";
import { diagnose } from "./testing/diagnose-patch.ts";
import { q, search, v } from "./testing/cases/variables.cases.ts";

const clean: readonly [string, CatalogPatch][] = [
  [
    "an exists guards the variable it asks for",
    search(
      q,
      `${v("q")}, [k, {type: if, condition: {type: exists, var: z}, then_expr: {type: var, name: z}, else_expr: {type: const, value: null}}]`,
    ),
  ],
  ["a session variable", search(q, `${v("q")}, ${v("share_token")}`)],
  ["an engine name", search(q, `${v("q")}, ${v("plasm.filter")}`)],
  [
    "a paging param is the caller's argument of that name",
    {
      ...search(`${q}, {name: page, value_ref: count}`, v("q")),
      mappings:
        "parcel_x: {method: GET, path: [{type: literal, value: x}], query: {type: object, fields: [[k, {type: var, name: q}]]}, pagination: {params: {page: {counter: 1}}}}",
    },
  ],
  [
    "a compound scope is read by its parts (RUN-012)",
    {
      values: "shelf: {type: entity_ref, target: Shelf}",
      entities:
        "Shelf: {abstract: true, key_vars: [hall, row], id_field: row, fields: {hall: {value_ref: text}, row: {value_ref: text}}}",
      capabilities:
        "parcel_x: {kind: search, entity: Parcel, parameters: [{name: shelf, value_ref: shelf, role: scope, required: true}]}",
      mappings: "parcel_x: {method: GET, path: [{type: var, name: hall}, {type: var, name: row}]}",
    },
  ],
  [
    "a path variable that nothing binds is an argument (RUN-011), and so bound elsewhere",
    {
      capabilities: "parcel_x: {kind: search, entity: Parcel}",
      mappings:
        "parcel_x: {method: GET, path: [{type: var, name: hall}], query: {type: object, fields: [[k, {type: var, name: hall}]]}}",
    },
  ],
  [
    "the whole input reads every parameter",
    {
      capabilities:
        "parcel_x: {kind: create, entity: Parcel, parameters: [{name: a, value_ref: text}]}",
      mappings: "parcel_x: {method: POST, path: [], body: {type: var, name: input}}",
    },
  ],
  [
    "a session variable that a response hook sets, in the path, too (RUN-105)",
    {
      capabilities: `parcel_x: {kind: search, entity: Parcel}
parcel_y: {kind: search, entity: Parcel, parameters: [{name: q, value_ref: text, required: true}]}`,
      mappings: `parcel_x: {method: GET, path: [{type: literal, value: x}], response: {response_preprocess: {kind: sign_body, sets: [hall]}}}
parcel_y: {method: GET, path: [{type: var, name: hall}], query: {type: object, fields: [[q, {type: var, name: q}], [h, {type: var, name: hall}]]}}`,
    },
  ],
  [
    "what a preflight function merges, and gets (RUN-105)",
    {
      capabilities: `parcel_x:
  kind: action
  entity: Parcel
  parameters: [{name: a, value_ref: text}]
  output: {type: side_effect, description: Done}
  preflight: [{kind: sign_body, when: a, params: [a], merge: {sign: sign}}]`,
      mappings:
        "parcel_x: {method: POST, path: [{type: var, name: id}], body: {type: object, fields: [[s, {type: var, name: sign}]]}}",
    },
  ],
  [
    "a registered function may read any",
    {
      capabilities:
        "parcel_x: {kind: create, entity: Parcel, parameters: [{name: a, value_ref: text}]}",
      mappings: "parcel_x: {method: POST, path: [], body: {type: sign_body}}",
    },
  ],
];

test.each(clean)("MAP-003, MAP-004: %s", (_when, patch) => {
  const { domain, mappings } = patchedCatalog(patch);
  expect(diagnose(domain, mappings)).toEqual([]);
});
