import type { BrokenCase } from "../broken-case.ts";

export const scans = (materialize: string, cardinality = "many"): string =>
  `scans: {target: Parcel, cardinality: ${cardinality}, materialize: ${materialize}}`;

const AT = "entities.Parcel.relations.scans.materialize";

/** Faults of CAT-002, CAT-003, CAT-005, CAT-061, CAT-062, CAT-063. */
export const relationsCases: readonly BrokenCase[] = [
  {
    rule: "CAT-002",
    when: "an unknown kind",
    patch: { relations: scans("{kind: «query_scope», capability: parcel_query, param: depot}") },
    at: `${AT}.kind`,
    says: ['"query_scope"', "(nearest: query_scoped)", "from_parent_get"],
  },
  {
    rule: "CAT-061",
    when: "a query for a relation to one",
    patch: {
      relations: scans("{kind: «query_scoped», capability: parcel_query, param: depot}", "one"),
    },
    at: `${AT}.kind`,
    says: ["query_scoped", "one", "get_scoped_bindings"],
  },
  {
    rule: "CAT-061",
    when: "a bound get for a relation to many",
    patch: {
      relations: scans("{kind: «get_scoped_bindings», capability: parcel_get, bindings: {id: id}}"),
    },
    at: `${AT}.kind`,
    says: ["get_scoped_bindings", "many", "query_scoped_bindings"],
  },
  {
    rule: "CAT-061",
    when: "an empty path",
    patch: { relations: scans("{kind: from_parent_get, path: «[]»}") },
    at: `${AT}.path`,
    says: ["empty path", "wildcard: true"],
  },
  {
    rule: "CAT-061",
    when: "a step with both",
    patch: { relations: scans("{kind: from_parent_get, path: [«{key: a, wildcard: true}»]}") },
    at: `${AT}.path[0]`,
    says: ["key and wildcard", "exactly one"],
  },
  {
    rule: "CAT-003",
    when: "wildcard: false",
    patch: { relations: scans("{kind: from_parent_get, path: [{key: a}, {wildcard: «false»}]}") },
    at: `${AT}.path[1].wildcard`,
    says: ["boolean false", "true"],
  },
  {
    rule: "CAT-061",
    when: "a map of rows where no wildcard ends the path",
    patch: { relations: scans("{kind: from_parent_get, path: [{key: a}], «key_into»: id}") },
    at: `${AT}.key_into`,
    says: ["key_into", "wildcard at the end"],
  },
  {
    rule: "CAT-061",
    when: "values of a map that is not declared",
    patch: {
      relations: scans("{kind: from_parent_get, path: [{wildcard: true}], «value_into»: size}"),
    },
    at: `${AT}.value_into`,
    says: ["value_into without key_into"],
  },
  {
    rule: "CAT-061",
    when: "keys and values in one member",
    patch: {
      relations: scans(
        "{kind: from_parent_get, path: [{wildcard: true}], key_into: id, value_into: «id»}",
      ),
    },
    at: `${AT}.value_into`,
    says: ["value_into id", "another member"],
  },
  {
    rule: "CAT-061",
    when: "a wildcard for one",
    patch: {
      relations: scans("{kind: from_parent_get, path: [{key: a}, «{wildcard: true}»]}", "one"),
    },
    at: `${AT}.path[1]`,
    says: ["wildcard", "keys only"],
  },
  {
    rule: "CAT-062",
    when: "a get where a list belongs",
    patch: { relations: scans("{kind: query_scoped, capability: «parcel_get», param: depot}") },
    at: `${AT}.capability`,
    says: ["parcel_get", "a get", "query or search on Parcel", "parcel_query"],
  },
  {
    rule: "CAT-062",
    when: "a list of another entity",
    patch: {
      relations:
        "scans: {target: Depot, cardinality: many, materialize: {kind: query_scoped, capability: «parcel_query», param: depot}}",
    },
    at: `${AT}.capability`,
    says: ["parcel_query", "on Depot", "none"],
  },
  {
    rule: "CAT-062",
    when: "a parameter the query has not",
    patch: { relations: scans("{kind: query_scoped, capability: parcel_query, param: «depots»}") },
    at: `${AT}.param`,
    says: ["parcel_query", "depots", "(nearest: depot)"],
  },
  {
    rule: "CAT-062",
    when: "a bound parameter the query has not",
    patch: {
      relations: scans(
        "{kind: query_scoped_bindings, capability: parcel_query, bindings: {«place»: depot}}",
      ),
    },
    at: `${AT}.bindings.place`,
    says: ["parcel_query", "place", "depot"],
  },
  {
    rule: "CAT-063",
    when: "no bindings",
    patch: {
      relations: scans("{kind: query_scoped_bindings, capability: parcel_query, bindings: «{}»}"),
    },
    at: `${AT}.bindings`,
    says: ["no bindings", "parameter: parent field"],
  },
  {
    rule: "CAT-063",
    when: "a parent field that is none",
    patch: {
      relations: scans(
        "{kind: query_scoped_bindings, capability: parcel_query, bindings: {depot: «depo»}}",
      ),
    },
    at: `${AT}.bindings.depot`,
    says: ["depo", "Parcel", "(nearest: depot)", "stage"],
  },
  {
    rule: "CAT-005",
    when: "an unknown capability",
    patch: { relations: scans("{kind: query_scoped, capability: «parcel_qery», param: depot}") },
    at: `${AT}.capability`,
    says: ["no capability parcel_qery", "(nearest: parcel_query)"],
  },
];
