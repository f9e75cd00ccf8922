import { patchedCatalog } from "@plasm/testkit";
import { expect, test } from "vitest";
import { diagnose } from "./testing/diagnose-patch.ts";
import { search } from "./testing/cases/responses.cases.ts";

test.each([
  "pagination: {params: {page: {counter: 1}, per_page: {fixed: 50}}}",
  "pagination: {location: body, body_merge_path: [variables], response_prefix: [data, parcels, pageInfo], params: {first: {fixed: 50}, after: {from_response: endCursor}}, stop_when: {field: hasNextPage, eq: false}}",
  "pagination: {location: response_next_url, params: {$top: {fixed: 100}}}",
  "response: {items_path: [data, list], item_inner_key: parcel}",
  "response: {error_when: [{path: ok, eq: false}, {path: [error], present: true, message_path: a.b}], message_path: m}",
])("section 3's and 4's examples are clean: %s", (rest) => {
  const { domain, mappings } = patchedCatalog(search(rest));
  expect(diagnose(domain, mappings)).toEqual([]);
});
