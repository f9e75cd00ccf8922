import type { CatalogPatch } from "@plasm/testkit";
import type { BrokenCase } from "../broken-case.ts";

export const search = (rest: string): CatalogPatch => ({
  capabilities: "parcel_x: {kind: search, entity: Parcel}",
  mappings: `parcel_x: {method: GET, path: [{type: literal, value: x}], ${rest}}`,
});

const paged = (pagination: string): CatalogPatch => search(`pagination: ${pagination}`);

const AT = "parcel_x.pagination";
const a = "{name: a, value_ref: text, required: true}";

/** Faults of CAT-003, MAP-030, MAP-031, MAP-034, MAP-040, MAP-041, MAP-042, MAP-043, MAP-044, MAP-045, MAP-050. */
export const responsesCases: readonly BrokenCase[] = [
  {
    rule: "MAP-030",
    when: "an unknown shorthand",
    patch: search("response: «list»"),
    at: "parcel_x.response",
    says: ['"list"', "single, bare_list, results_list, items_list"],
  },
  {
    rule: "MAP-034",
    when: "a map that is one row",
    patch: search("response: {single: true, «key_into»: id}"),
    at: "parcel_x.response.key_into",
    says: ["Allowed: one of them"],
  },
  {
    rule: "MAP-034",
    when: "a member for values of no map",
    patch: search("response: {«value_into»: rate}"),
    at: "parcel_x.response.value_into",
    says: ["key_into"],
  },
  {
    rule: "MAP-034",
    when: "one member for key and value",
    patch: search("response: {key_into: code, value_into: «code»}"),
    at: "parcel_x.response.value_into",
    says: ["code"],
  },
  {
    rule: "MAP-030",
    when: "an unknown preprocess",
    patch: search("response: {response_preprocess: {kind: «flatten», path: [a]}}"),
    at: "parcel_x.response.response_preprocess.kind",
    says: [
      '"flatten"',
      "array_find_pluck",
      "concat_field_arrays",
      "string_ids_to_field_objects",
      "registered functions: sign_body",
    ],
  },
  {
    rule: "MAP-030",
    when: "a preprocess without its key",
    patch: search("response: {«response_preprocess»: {kind: concat_field_arrays, path: [a]}}"),
    at: "parcel_x.response.response_preprocess.from_each",
    says: ["from_each"],
  },
  {
    rule: "CAT-003",
    when: "an error sign without test",
    patch: search("response: {error_when: [«{path: [a]}»]}"),
    at: "parcel_x.response.error_when[0]",
    says: ["neither eq nor present", "exactly one"],
  },
  {
    rule: "MAP-031",
    when: "auxiliary_merge on a search",
    patch: search(
      "response: {«auxiliary_merge»: {method: GET, path: [], from_path: [w], into_key: k}}",
    ),
    at: "parcel_x.response.auxiliary_merge",
    says: ["search", "on a get with transport http"],
  },
  {
    rule: "MAP-031",
    when: "auxiliary_merge with POST",
    patch: {
      capabilities:
        "parcel_x: {kind: get, entity: Parcel, parameters: [{name: a, value_ref: text, required: true}]}",
      mappings:
        "parcel_x: {method: GET, path: [{type: var, name: a}], response: {auxiliary_merge: {method: «POST», path: [], from_path: [w], into_key: k}}}",
    },
    at: "parcel_x.response.auxiliary_merge.method",
    says: ["POST", "GET, HEAD"],
  },
  {
    rule: "MAP-040",
    when: "a param with two forms",
    patch: paged("{params: {«page»: {counter: 1, fixed: 2}}}"),
    at: `${AT}.params.page`,
    says: ["page", "counter and fixed", "exactly one"],
  },
  {
    rule: "MAP-040",
    when: "a param without form",
    patch: paged("{params: {«page»: {}}}"),
    at: `${AT}.params.page`,
    says: ["has no form"],
  },
  {
    rule: "MAP-040",
    when: "a step without counter",
    patch: paged("{params: {size: {fixed: 5, «step»: 2}}}"),
    at: `${AT}.params.size.step`,
    says: ["step", "counter only"],
  },
  {
    rule: "MAP-040",
    when: "assumed without counter",
    patch: paged("{params: {size: {fixed: 5, «assumed»: omit}}}"),
    at: `${AT}.params.size.assumed`,
    says: ["assumed", "counter without step"],
  },
  {
    rule: "MAP-040",
    when: "assumed beside a step",
    patch: paged("{params: {page: {counter: 1, step: 2, «assumed»: send}}}"),
    at: `${AT}.params.page.assumed`,
    says: ["assumed", "counter without step"],
  },
  {
    rule: "MAP-040",
    when: "usual without fixed",
    patch: paged("{params: {page: {counter: 1, «usual»: 20}}}"),
    at: `${AT}.params.page.usual`,
    says: ["usual", "fixed param"],
  },
  {
    rule: "MAP-040",
    when: "a size beside pages",
    patch: paged("{params: {page: {counter: 1}, limit: {«size»: {most: 100}}}}"),
    at: `${AT}.params.limit.size`,
    says: ["size", "only param"],
  },
  {
    rule: "MAP-041",
    when: "stop_when without field",
    patch: paged("{«stop_when»: {eq: 1}}"),
    at: `${AT}.stop_when`,
    says: ["without field", "exactly one of eq and absent: true"],
  },
  {
    rule: "MAP-041",
    when: "stop_when with both tests",
    patch: paged("{«stop_when»: {field: a, eq: 1, absent: true}}"),
    at: `${AT}.stop_when`,
    says: ["eq and absent"],
  },
  {
    rule: "MAP-042",
    when: "body_merge_path without location body",
    patch: paged("{«body_merge_path»: [variables]}"),
    at: `${AT}.body_merge_path`,
    says: ["query", "location body only"],
  },
  {
    rule: "MAP-042",
    when: "location body beside a form",
    patch: search("body_format: form_urlencoded, pagination: {location: «body»}"),
    at: `${AT}.location`,
    says: ["form_urlencoded", "object, or none"],
  },
  {
    rule: "MAP-043",
    when: "a counter beside link_header",
    patch: paged("{location: link_header, params: {page: {«counter»: 1}}}"),
    at: `${AT}.params.page.counter`,
    says: ["page", "counter", "link_header", "fixed only"],
  },
  {
    rule: "MAP-044",
    when: "block_range over http",
    patch: paged("{location: «block_range»}"),
    at: `${AT}.location`,
    says: ["http", "evm_logs only"],
  },
  {
    rule: "MAP-045",
    when: "pagination on a get",
    patch: {
      capabilities:
        "parcel_x: {kind: get, entity: Parcel, parameters: [{name: a, value_ref: text, required: true}]}",
      mappings:
        "parcel_x: {method: GET, path: [{type: var, name: a}], «pagination»: {params: {page: {counter: 1}}}}",
    },
    at: AT,
    says: ["parcel_x, a get", "query or search"],
  },
  {
    rule: "MAP-050",
    when: "an unknown view",
    patch: {
      capabilities:
        "parcel_x: {kind: query, entity: Parcel, parameters: [{name: a, value_ref: text, required: true}]}",
      mappings: "parcel_x: {transport: view, view: «today»}",
    },
    at: "parcel_x.view",
    says: ["no view today", "none"],
  },
  {
    rule: "MAP-050",
    when: "another key beside view",
    patch: {
      capabilities:
        "parcel_x: {kind: query, entity: Parcel, parameters: [{name: a, value_ref: text, required: true}]}",
      top: "views: {v: {capability: parcel_x, entity: Parcel, scope: [{name: a, value_ref: text}]}}",
      mappings: "parcel_x: {transport: view, view: v, «response»: single}",
    },
    at: "parcel_x.response",
    says: ["response", "view"],
  },
  {
    rule: "MAP-042",
    when: "location body beside a constant that is no object",
    patch: search("body: {type: const, value: 5}, pagination: {location: «body»}"),
    at: `${AT}.location`,
    says: ["a body of type const", "object, or none"],
  },
  {
    rule: "MAP-050",
    when: "a view of another entity",
    patch: {
      capabilities: `depot_x: {kind: query, entity: Depot, parameters: [${a}]}\nparcel_x: {kind: query, entity: Parcel, parameters: [${a}]}`,
      top: `views: {v: {capability: depot_x, entity: Depot, scope: [${a}]}}`,
      mappings: "depot_x: {transport: view, view: v}\nparcel_x: {transport: view, view: «v»}",
    },
    at: "parcel_x.view",
    says: ["v is of Depot", "view of Parcel", "entity of parcel_x"],
  },
  {
    rule: "MAP-050",
    when: "a view on a search",
    patch: {
      capabilities: `parcel_x: {kind: search, entity: Parcel, parameters: [${a}]}`,
      top: `views: {v: {capability: parcel_x, entity: Parcel, scope: [${a}]}}`,
      mappings: "parcel_x: {transport: «view», view: v}",
    },
    at: "parcel_x.transport",
    says: ["parcel_x, a search", "query or get"],
  },
];
