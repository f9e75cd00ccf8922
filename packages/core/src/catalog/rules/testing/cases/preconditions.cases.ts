import type { CatalogPatch } from "@plasm/testkit";
import type { BrokenCase } from "../broken-case.ts";

const conditions = (list: string, kind = "action"): CatalogPatch => ({
  capabilities: `parcel_x:
  kind: ${kind}
  entity: Parcel
  parameters: [{name: depot, value_ref: depot}, {name: note, value_ref: text}]
  output: {type: side_effect, description: Done}
  preconditions: ${list}`,
  mappings: `parcel_x: {method: POST, path: [${kind === "create" ? "" : "{type: var, name: id}"}], body: {type: var, name: input}}`,
});

const AT = "capabilities.parcel_x.preconditions";

/** Faults of CAT-002, CAT-005, CAT-143. */
export const preconditionsCases: readonly BrokenCase[] = [
  {
    rule: "CAT-143",
    when: "preconditions on a read",
    patch: {
      capabilities:
        "parcel_x: {kind: get, entity: Parcel, parameters: [{name: a, value_ref: text, required: true}], «preconditions»: [{field: stage, eq: packed}]}",
      mappings: "parcel_x: {method: GET, path: [{type: var, name: a}]}",
    },
    at: AT,
    says: ["on a get", "create, update, delete and action"],
  },
  {
    rule: "CAT-143",
    when: "a precondition without test",
    patch: conditions("[«{field: stage}»]"),
    at: `${AT}[0]`,
    says: ["stage has no test", "exactly one of eq, in, not_in and exists"],
  },
  {
    rule: "CAT-143",
    when: "a precondition with two tests",
    patch: conditions("[«{field: stage, eq: packed, exists: true}»]"),
    at: `${AT}[0]`,
    says: ["eq and exists", "exactly one of"],
  },
  {
    rule: "CAT-143",
    when: "a precondition of a create on a row there is not",
    patch: conditions("[«{field: stage, eq: packed}»]", "create"),
    at: `${AT}[0]`,
    says: ["a create", "on no row", "param"],
  },
  {
    rule: "CAT-143",
    when: "a parameter that refers to nothing",
    patch: conditions("[{param: «note», field: stage, eq: packed}]"),
    at: `${AT}[0].param`,
    says: ["note refers to no entity", "entity_ref: depot"],
  },
  {
    rule: "CAT-005",
    when: "a precondition of an unknown parameter",
    patch: conditions("[{param: «depots», field: id, eq: packed}]"),
    at: `${AT}[0].param`,
    says: ["no parameter of parcel_x depots", "(nearest: depot)"],
  },
  {
    rule: "CAT-005",
    when: "a precondition of an unknown field",
    patch: conditions("[{field: «stages», eq: packed}]"),
    at: `${AT}[0].field`,
    says: ["no field of Parcel stages", "(nearest: stage)"],
  },
  {
    rule: "CAT-005",
    when: "a precondition of a field that the referenced row has not",
    patch: conditions("[{param: depot, field: «stage», eq: packed}]"),
    at: `${AT}[0].field`,
    says: ["no field of Depot stage"],
  },
  {
    rule: "CAT-143",
    when: "a value that is no option",
    patch: conditions("[{field: stage, in: [packed, «lost»]}]"),
    at: `${AT}[0].in[1]`,
    says: ['"lost" is no value of stage', "select", "packed, sent"],
  },
  {
    rule: "CAT-143",
    when: "no values",
    patch: conditions("[{field: stage, not_in: «[]»}]"),
    at: `${AT}[0].not_in`,
    says: ["an empty list", "at least one value"],
  },
  {
    rule: "CAT-143",
    when: "a value of a reference",
    patch: conditions("[{field: depot, «eq»: d1}]"),
    at: `${AT}[0].eq`,
    says: ["depot is of type entity_ref", "exists alone"],
  },
];
