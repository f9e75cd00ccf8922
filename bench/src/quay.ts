import { CURRENT_FEATURES, exposeSeeds, type Catalog, type Exposure } from "@plasm/core";
import { loadCatalog } from "@plasm/core/internal";
import { readFixtureCatalog } from "@plasm/testkit";

/** The quay fixture, compiled. */
export function quayCatalog(): Catalog {
  const files = readFixtureCatalog("quay");
  const { catalog } = loadCatalog({
    entryId: files.entryId,
    domain: { file: "domain.yaml", text: files.domain },
    mappings: { file: "mappings.yaml", text: files.mappings },
  });
  if (catalog === null) throw new Error("The quay fixture does not load");
  return catalog;
}

export const entitiesOf = (catalog: Catalog): readonly string[] =>
  [...catalog.cgs.entities.values()].filter((one) => !one.abstract).map((one) => one.name);

/** A session to which every entity of the catalog has been taught. */
export function wholeExposure(catalog: Catalog): Exposure {
  const catalogs = new Map([[catalog.entryId, catalog]]);
  const seeds = [{ entryId: catalog.entryId, entities: entitiesOf(catalog) }];
  const setup = { catalogs, notation: "symbols" as const, policy: {} };
  const { log, symbols } = exposeSeeds({
    exposure: null,
    seeds,
    features: CURRENT_FEATURES,
    ...setup,
  });
  return { log, symbols, ...setup };
}
