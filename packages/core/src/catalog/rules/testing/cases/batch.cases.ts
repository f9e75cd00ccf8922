import type { CatalogPatch } from "@plasm/testkit";
import type { BrokenCase } from "../broken-case.ts";

const AT = "capabilities.parcel_x.batch";

/** A list of parcels that may be asked for several at once. */
const list = (batch: string, kind = "query", more = "", paging = ""): CatalogPatch => ({
  values: "texts: {type: array, items: {value_ref: text}}",
  capabilities: `parcel_x: {kind: ${kind}, entity: Parcel, parameters: [{name: ids, value_ref: texts}, {name: one, value_ref: text}${more}], ${batch}}`,
  mappings: `parcel_x: {method: GET, path: [{type: literal, value: parcels}], query: {type: object, fields: [[ids, {type: join, sep: ",", expr: {type: var, name: ids}}], [one, {type: var, name: one}]]}${paging}}`,
});

/** Faults of CAT-147. */
export const batchCases: readonly BrokenCase[] = [
  {
    rule: "CAT-147",
    when: "several values of what is no list",
    patch: list("«batch»: {param: ids, field: id, most: 20}", "get"),
    at: AT,
    says: ["get", "query and search"],
  },
  {
    rule: "CAT-147",
    when: "a parameter that takes one value",
    patch: list("batch: {param: «one», field: id, most: 20}"),
    at: `${AT}.param`,
    says: ["one", "parcel_x", "ids"],
  },
  {
    rule: "CAT-147",
    when: "a field that is neither key nor reference",
    patch: list("batch: {param: ids, field: «stage», most: 20}"),
    at: `${AT}.field`,
    says: ["stage", "Parcel", "id"],
  },
  {
    rule: "CAT-147",
    when: "a list that needs another argument",
    patch: list(
      "«batch»: {param: ids, field: id, most: 20}",
      "query",
      ", {name: two, value_ref: text, required: true}",
    ),
    at: AT,
    says: ["parcel_x", "ids alone", "two"],
    beside: ["MAP004"],
  },
  {
    rule: "CAT-147",
    when: "pages whose size is not said",
    patch: list(
      "«batch»: {param: ids, field: id, most: 20}",
      "query",
      "",
      ", pagination: {params: {page: {counter: 1}}}",
    ),
    at: AT,
    says: ["parcel_x", "fixed size"],
  },
];
