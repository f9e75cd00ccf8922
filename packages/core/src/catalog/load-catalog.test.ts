import { fixtureCatalogNames, readFixtureCatalog } from "@plasm/testkit";
import { expect, test } from "vitest";
import { loadCatalog } from "./load-catalog.ts";

test.each(fixtureCatalogNames)("the fixture catalog %s loads clean", (name) => {
  const { entryId, domain, mappings } = readFixtureCatalog(name);
  const loaded = loadCatalog({
    entryId,
    domain: { file: "domain.yaml", text: domain },
    mappings: { file: "mappings.yaml", text: mappings },
  });
  expect(loaded.diagnostics).toEqual([]);
  expect(loaded.catalog?.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect([...(loaded.catalog?.cml.keys() ?? [])].toSorted()).toEqual(
    [...(loaded.catalog?.cgs.capabilities.keys() ?? [])].toSorted(),
  );
});
