import { fixtureCatalogNames, readFixtureCatalog } from "@plasm/testkit";
import { expect, test } from "vitest";
import { formatCatalogDiagnostic } from "../load/format-diagnostic.ts";
import { openCatalog } from "./open-catalog.ts";

test.each(fixtureCatalogNames)("the fixture catalog %s is clean in strict mode", (name) => {
  const { entryId, domain, mappings } = readFixtureCatalog(name);
  const files = {
    domain: { file: "domain.yaml", text: domain },
    mappings: { file: "mappings.yaml", text: mappings },
  };
  const opened = openCatalog({ entryId, ...files }, { strict: true });
  expect(opened.diagnostics.map((each) => formatCatalogDiagnostic(each))).toEqual([]);
  expect(opened.omitted).toBe(0);
  expect(opened.catalog?.entryId).toBe(name);
});
