import type { CatalogPatch } from "@plasm/testkit";
import type { BrokenCase } from "../broken-case.ts";

const AT = "capabilities.parcel_x.sort";

/** A list of parcels with an order; `parameters` are what it may be asked. */
const list = (sort: string, kind = "query"): CatalogPatch => ({
  values: "way: {type: select, allowed_values: [up, down]}",
  fields: "weight: {value_ref: count}",
  capabilities: `parcel_x: {kind: ${kind}, entity: Parcel, parameters: [{name: by, value_ref: text}, {name: way, value_ref: way}, {name: many, value_ref: count}], ${sort}}`,
  mappings:
    "parcel_x: {method: GET, path: [{type: literal, value: parcels}], query: {type: object, fields: [[by, {type: var, name: by}], [way, {type: var, name: way}], [many, {type: var, name: many}]]}}",
});

/** Faults of CAT-144. */
export const sortCases: readonly BrokenCase[] = [
  {
    rule: "CAT-144",
    when: "an order of what is no list",
    patch: list("«sort»: {param: by, columns: {weight: weight}, direction: way}", "get"),
    at: AT,
    says: ["get", "query and search"],
  },
  {
    rule: "CAT-144",
    when: "a parameter that the list does not have",
    patch: list(
      "sort: {param: «buy», columns: {weight: weight}, direction: way, ascending: up, descending: down}",
    ),
    at: `${AT}.param`,
    says: ["buy", "parcel_x", "by, way, many"],
  },
  {
    rule: "CAT-144",
    when: "a parameter that takes no word",
    patch: list(
      "sort: {param: «many», columns: {weight: weight}, direction: way, ascending: up, descending: down}",
    ),
    at: `${AT}.param`,
    says: ["many", "integer", "string, select or boolean"],
  },
  {
    rule: "CAT-144",
    when: "a word that the parameter does not take",
    patch: list("sort: {param: by, columns: {weight: weight}, direction: «way», ascending: up}"),
    at: `${AT}.direction`,
    says: ["desc", "way", "up, down"],
  },
  {
    rule: "CAT-144",
    when: "a column that is no field",
    patch: list(
      "sort: {param: by, columns: {«wait»: weight}, direction: way, ascending: up, descending: down}",
    ),
    at: `${AT}.columns.wait`,
    says: ["wait", "Parcel", "weight"],
  },
  {
    rule: "CAT-144",
    when: "a column that servers sort in different ways",
    patch: list(
      "sort: {param: by, columns: {«stage»: stage}, direction: way, ascending: up, descending: down}",
    ),
    at: `${AT}.columns.stage`,
    says: ["stage", "select", "number, integer and date"],
  },
  {
    rule: "CAT-144",
    when: "one word for both directions",
    patch: list("sort: {param: by, columns: {weight: «weight»}}"),
    at: `${AT}.columns.weight`,
    says: ["weight", "{ascending: weight, descending: …}", "direction"],
  },
];
