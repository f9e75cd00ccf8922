import { patchedCatalog } from "@plasm/testkit";
import { expect, test } from "vitest";
import { diagnose } from "./testing/diagnose-patch.ts";
import { overlay } from "./testing/cases/overlay.cases.ts";

test("section 12's example is clean", () => {
  const { domain, mappings } = patchedCatalog(overlay({}));
  expect(diagnose(domain, mappings)).toEqual([]);
});
