import { patchedCatalog } from "@plasm/testkit";
import { expect, test } from "vitest";
import { diagnose } from "./testing/diagnose-patch.ts";

test("section 9's own example is clean", () => {
  const { domain, mappings } = patchedCatalog({
    relations: "scans: {target: Depot, cardinality: many}",
    top: `auth: {scheme: oauth_bearer, env: DEPOT_TOKEN, hosted_kv: "plasm:outbound:v1:catalog:depot"}
oauth:
  provider: depot
  scopes: {parcels.read: {label: Read parcels}}
  requirements:
    capabilities: {parcel_get: {any_of: [parcels.read]}}
    relations: {Parcel.scans: {all_of: [parcels.read]}}`,
  });
  expect(diagnose(domain, mappings)).toEqual([]);
});
