import type { CatalogPatch } from "@plasm/testkit";
import type { BrokenCase } from "../broken-case.ts";

const AT = "capabilities.parcel_x.lists_only";

/** A list of parcels that leaves some out. */
const list = (only: string, kind = "query"): CatalogPatch => ({
  values: "kept: {type: json}\nlate: {type: boolean}",
  fields: "late: {value_ref: late}\nmore: {value_ref: kept}",
  capabilities: `parcel_x: {kind: ${kind}, entity: Parcel, ${only}}`,
  mappings: "parcel_x: {method: GET, path: [{type: literal, value: parcels}]}",
});

/** Faults of CAT-146. */
export const listsOnlyCases: readonly BrokenCase[] = [
  {
    rule: "CAT-146",
    when: "rows that are left out of what is no list",
    patch: list("«lists_only»: {late: false}", "singleton"),
    at: AT,
    says: ["get", "query and search"],
  },
  {
    rule: "CAT-146",
    when: "a column that is no field",
    patch: list("lists_only: {«latte»: false}"),
    at: `${AT}.latte`,
    says: ["latte", "Parcel", "late"],
  },
  {
    rule: "CAT-146",
    when: "a column whose values are not told apart",
    patch: list("lists_only: {«more»: x}"),
    at: `${AT}.more`,
    says: ["more", "json", "boolean and select"],
  },
  {
    rule: "CAT-146",
    when: "a value that the column does not have",
    patch: list("lists_only: {late: «never»}"),
    at: `${AT}.late`,
    says: ["never", "late", "true, false"],
  },
];
