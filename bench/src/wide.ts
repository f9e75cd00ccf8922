import { type Catalog, CURRENT_FEATURES, exposeSeeds, type Exposure } from "@plasm/core";
import { loadThings, THING_FIELDS, thingsFiles } from "./things-catalog.ts";

/** What the program of ten statements reads. */
const READ = ["Boat", "Log", "Paper", "Person", "Visit"];

/** A catalog of things: four fields, a query and a get each. */
export const wideCatalog = (count: number): Catalog =>
  loadThings(
    "wide",
    thingsFiles({
      backend: "https://api.wide.example",
      count,
      entityAt: () => ({ id_field: "id", fields: THING_FIELDS }),
    }),
  );

/** A session of `entities` entities: those the program reads, and things it does not. */
export function wideExposure(quay: Catalog, entities: number): Exposure {
  const things = entities - READ.length;
  const wide = things > 0 ? [wideCatalog(things)] : [];
  const catalogs = new Map([quay, ...wide].map((catalog) => [catalog.entryId, catalog]));
  const seeds = [
    { entryId: quay.entryId, entities: READ },
    ...wide.map(({ entryId, cgs }) => ({ entryId, entities: [...cgs.entities.keys()] })),
  ];
  const setup = { catalogs, notation: "symbols" as const, policy: {} };
  const exposed = exposeSeeds({ exposure: null, seeds, features: CURRENT_FEATURES, ...setup });
  return { log: exposed.log, symbols: exposed.symbols, ...setup };
}
