import { expect, test } from "vitest";
import { diagnose } from "./testing/diagnose-patch.ts";
import { patchedCatalog } from "@plasm/testkit";

test("the catalog that the cases patch is clean", () => {
  const { domain, mappings } = patchedCatalog({});
  expect(diagnose(domain, mappings)).toEqual([]);
});

test("CAT-024: an http origin is allowed where the backend is http", () => {
  const patch = {
    backend: "http://127.0.0.1:9",
    top: "allow_origins: ['http://files.example:81']",
  };
  const { domain, mappings } = patchedCatalog(patch);
  expect(diagnose(domain, mappings)).toEqual([]);
});
