import { patchedCatalog } from "@plasm/testkit";
import { expect, test } from "vitest";
import { diagnose } from "./testing/diagnose-patch.ts";
import { view } from "./testing/cases/views.cases.ts";

test("the view that the cases break is clean", () => {
  const { domain, mappings } = patchedCatalog(view({}));
  expect(diagnose(domain, mappings)).toEqual([]);
});
