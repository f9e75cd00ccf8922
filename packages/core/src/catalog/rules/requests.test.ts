import { patchedCatalog } from "@plasm/testkit";
import { expect, test } from "vitest";
import { diagnose } from "./testing/diagnose-patch.ts";
import { post, nested } from "./testing/cases/requests.cases.ts";

test("MAP-005: 64 expressions deep are allowed", () => {
  const { domain, mappings } = patchedCatalog(post(`body: ${nested(64)}`));
  expect(diagnose(domain, mappings)).toEqual([]);
});
