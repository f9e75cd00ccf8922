import type { CatalogPatch } from "@plasm/testkit";
import type { BrokenCase } from "../broken-case.ts";
import { view } from "./views.cases.ts";

const AT = "capabilities.parcel_x.count";

/** A list of parcels whose rows are counted; and a get of a number. */
const list = (count: string, kind = "query"): CatalogPatch => ({
  entities: "Tally: {fields: {id: {value_ref: text}, parcels: {value_ref: count}}}",
  capabilities: `parcel_x: {kind: ${kind}, entity: Parcel, ${count}}
tally_get: {kind: singleton, entity: Tally}`,
  mappings: `parcel_x: {method: GET, path: [{type: literal, value: parcels}]}
tally_get: {method: GET, path: [{type: literal, value: tally}]}`,
});

/** Faults of CAT-145. */
export const countCases: readonly BrokenCase[] = [
  {
    rule: "CAT-145",
    when: "a count of what is no list",
    patch: list("«count»: {path: total}", "get"),
    at: AT,
    says: ["get", "query and search"],
  },
  {
    rule: "CAT-145",
    when: "two ways to count",
    patch: list("«count»: {path: total, header: X-Total}"),
    at: AT,
    says: ["path and header", "one of"],
  },
  {
    rule: "CAT-145",
    when: "a capability without the field",
    patch: list("«count»: {capability: tally_get}"),
    at: AT,
    says: ["capability", "with field"],
  },
  {
    rule: "CAT-145",
    when: "a count in the answer of a view, which has none",
    patch: {
      ...view({}),
      capabilities:
        "today_query: {kind: query, entity: Today, count: {«path»: total}, parameters: [{name: depot, value_ref: text, required: true}]}",
    },
    at: "capabilities.today_query.count.path",
    says: ["today_query", "path", "capability with field"],
  },
  {
    rule: "CAT-145",
    when: "a header that no answer is kept with",
    patch: list("count: {header: «X-Totals»}"),
    at: `${AT}.header`,
    says: ["X-Totals", "x-total"],
  },
  {
    rule: "CAT-145",
    when: "a capability that is no get without a key",
    patch: list("count: {capability: «parcel_get», field: parcels}"),
    at: `${AT}.capability`,
    says: ["parcel_get", "tally_get"],
  },
  {
    rule: "CAT-145",
    when: "a field that is no whole number",
    patch: list("count: {capability: tally_get, field: «id»}"),
    at: `${AT}.field`,
    says: ["id", "Tally", "parcels"],
  },
];
