import { type CatalogPatch, patchedCatalog } from "@plasm/testkit";
import { expect, test } from "vitest";
import { diagnose } from "./testing/diagnose-patch.ts";
import { call, logs } from "./testing/cases/evm.cases.ts";

test.each<[string, CatalogPatch]>([
  ["a call", call({})],
  [
    "a call without arguments",
    call({
      text: '"function f() returns (bytes32[], tuple(uint a, string b)[] x)"',
      args: "[]",
      decode: "{id: {type: output, index: 1}, stage: {type: output, index: 0}}",
    }),
  ],
  ["logs", logs({})],
  ["a null topic", logs({ args: "[null]" })],
])("section 5's examples are clean: %s", (_name, patch) => {
  const { domain, mappings } = patchedCatalog(patch);
  expect(diagnose(domain, mappings).filter(({ code }) => code !== "MAP004")).toEqual([]);
});
