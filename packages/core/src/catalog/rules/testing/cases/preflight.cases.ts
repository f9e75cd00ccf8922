import type { CatalogPatch } from "@plasm/testkit";
import type { BrokenCase } from "../broken-case.ts";

const steps = (list: string, kind = "action"): CatalogPatch => ({
  capabilities: `parcel_x:
  kind: ${kind}
  entity: Parcel
  parameters: [{name: depot, value_ref: depot}, {name: depot_code, value_ref: text}]
  output: {type: side_effect, description: Done}
  preflight: ${list}`,
  mappings:
    "parcel_x: {method: POST, path: [{type: var, name: id}], body: {type: var, name: input}}",
});

const AT = "capabilities.parcel_x.preflight";

const old = "{kind: hydrate_invoke_target, get: parcel_get, prefix: old}";

const pick = (parts: string): string =>
  `{kind: query_pick, query: parcel_query, pick: {field: id, equals_param: depot_code}, ${parts}}`;

/** Faults of CAT-005, CAT-140, CAT-141, CAT-142. */
export const preflightCases: readonly BrokenCase[] = [
  {
    rule: "CAT-140",
    when: "preflight on a read",
    patch: {
      capabilities: `parcel_x: {kind: get, entity: Parcel, parameters: [{name: a, value_ref: text, required: true}], «preflight»: [${old}]}`,
      mappings: "parcel_x: {method: GET, path: [{type: var, name: a}]}",
    },
    at: AT,
    says: ["on a get", "create, update, delete and action"],
  },
  {
    rule: "CAT-140",
    when: "a query where a get belongs",
    patch: steps("[{kind: hydrate_invoke_target, get: «parcel_query», prefix: old}]"),
    at: `${AT}[0].get`,
    says: ["parcel_query", "a query", "a get"],
  },
  {
    rule: "CAT-140",
    when: "a target of another entity",
    patch: steps("[{kind: hydrate_invoke_target, get: «depot_get», prefix: old}]"),
    at: `${AT}[0].get`,
    says: ["depot_get", "Depot", "Parcel"],
  },
  {
    rule: "CAT-140",
    when: "a target of a create, which has none",
    patch: {
      ...steps(`[${old.replace("hydrate_invoke_target", "«hydrate_invoke_target»")}]`, "create"),
      mappings: "parcel_x: {method: POST, path: [], body: {type: var, name: input}}",
    },
    at: `${AT}[0].kind`,
    says: ["on a create", "update, delete and action"],
  },
  {
    rule: "CAT-005",
    when: "an unknown capability",
    patch: steps("[{kind: hydrate_invoke_target, get: «parcel_gets», prefix: old}]"),
    at: `${AT}[0].get`,
    says: ["no capability parcel_gets", "(nearest: parcel_get)"],
  },
  {
    rule: "CAT-141",
    when: "an unknown parameter",
    patch: steps(
      "[{kind: hydrate_entity_ref_param, param: «depo», get: depot_get, merge: {c: code}}]",
    ),
    at: `${AT}[0].param`,
    says: ["depo", "(nearest: depot)"],
  },
  {
    rule: "CAT-141",
    when: "an unknown field",
    patch: steps(
      "[{kind: hydrate_entity_ref_param, param: depot, get: depot_get, merge: {c: «cod»}}]",
    ),
    at: `${AT}[0].merge.c`,
    says: ["cod", "Depot", "(nearest: code)"],
  },
  {
    rule: "CAT-141",
    when: "a prefix of a later step",
    patch: steps(
      `[${pick("scope: {depot: {from_preflight: {prefix: «old», path: [a]}}}, merge: {m: id}")}, ${old}]`,
    ),
    at: `${AT}[0].scope.depot.from_preflight.prefix`,
    says: ["old", "earlier step", "none"],
  },
  {
    rule: "CAT-141",
    when: "a scope the query has not",
    patch: steps(`[${pick("scope: {«place»: {literal: 1}}, merge: {m: id}")}]`),
    at: `${AT}[0].scope.place`,
    says: ["parcel_query", "place", "depot"],
  },
  {
    rule: "CAT-141",
    when: "a scope with two sources",
    patch: steps(`[${pick("scope: {«depot»: {literal: 1, from_param: depot}}, merge: {m: id}")}]`),
    at: `${AT}[0].scope.depot`,
    says: ["from_param and literal", "exactly one"],
  },
  {
    rule: "CAT-142",
    when: "an empty merge",
    patch: steps(`[${pick("merge: «{}»")}]`),
    at: `${AT}[0].merge`,
    says: ["empty merge"],
  },
  {
    rule: "CAT-142",
    when: "a name merged twice",
    patch: steps(`[${pick("merge: {m: id}")}, ${pick("merge: {«m»: id}")}]`),
    at: `${AT}[1].merge.m`,
    says: ["m is merged by another step too", "at 32:110"],
  },
  {
    rule: "CAT-142",
    when: "a name of the engine",
    patch: steps(`[${pick("merge: {«plasm_x»: id}")}]`),
    at: `${AT}[0].merge.plasm_x`,
    says: ["plasm_x", "do not start with plasm"],
  },
  {
    rule: "CAT-002",
    when: "a kind that is neither of the format nor a registered function",
    patch: steps("[{kind: «sign_bodi», merge: {token: token}}]"),
    at: `${AT}[0].kind`,
    says: ["sign_bodi", "sign_body", "query_pick", "label_ids_delta"],
  },
  {
    rule: "CAT-141",
    when: "a function that is given an unknown parameter",
    patch: steps("[{kind: sign_body, params: [«depots»], merge: {token: token}}]"),
    at: `${AT}[0].params[0]`,
    says: ["depots", "depot_code"],
  },
  {
    rule: "CAT-141",
    when: "a function that waits for an unknown parameter",
    patch: steps("[{kind: sign_body, when: «depots», merge: {token: token}}]"),
    at: `${AT}[0].when`,
    says: ["depots", "depot_code"],
  },
  {
    rule: "CAT-142",
    when: "a function of which nothing is merged",
    patch: steps("[{kind: sign_body, merge: «{}»}]"),
    at: `${AT}[0].merge`,
    says: ["at least one name"],
  },
];
