import fc from "fast-check";
import { expect, test } from "vitest";
import { openCatalog } from "../src/catalog/open/open-catalog.ts";
import { arbitraryCatalogSpec } from "./arbitrary-catalog.ts";
import { catalogDocuments } from "./build-catalog.ts";

test("the catalogs that properties are tried on are valid ones", () => {
  fc.assert(
    fc.property(arbitraryCatalogSpec(), (spec) => {
      const { domain, mappings } = catalogDocuments(spec);
      const opened = openCatalog({
        entryId: "wood",
        domain: { file: "domain.yaml", text: JSON.stringify(domain) },
        mappings: { file: "mappings.yaml", text: JSON.stringify(mappings) },
      });
      const errors = opened.diagnostics.filter(({ severity }) => severity === "error");
      expect(errors).toEqual([]);
    }),
    { numRuns: 200 },
  );
});
