import { patchedCatalog } from "@plasm/testkit";
import { expect, test } from "vitest";
import { diagnose } from "./testing/diagnose-patch.ts";
import { scans } from "./testing/cases/relations.cases.ts";

test("a get may be bound by its identity", () => {
  const { domain, mappings } = patchedCatalog({
    relations: scans(
      "{kind: get_scoped_bindings, capability: parcel_get, bindings: {id: stage}}",
      "one",
    ),
  });
  expect(diagnose(domain, mappings)).toEqual([]);
});
