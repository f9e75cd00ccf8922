import { buildCatalog } from "./build-catalog.ts";
import type { ErrorExample } from "./error-examples.ts";
import { exposureOf } from "./exposure-of.ts";
import { fixtureExposure, quayAndYard, quayExposure } from "./fixture-exposure.ts";
import type { Exposure } from "../src/symbols/exposure.ts";

/** Two lists that take the same, and a relation whose list needs more than its row. */
const farm = buildCatalog("farm", {
  entities: {
    Farm: { fields: { id: "int" }, relations: { crops: { target: "Crop", cardinality: "many" } } },
    Crop: { fields: { id: "int", farm: "→Farm" } },
  },
  capabilities: {
    farm_by_x: { kind: "query", entity: "Farm", params: { x: "str" } },
    farm_at_x: { kind: "query", entity: "Farm", params: { x: "str" } },
    farm_get: { kind: "get", entity: "Farm" },
    crop_one: { kind: "query", entity: "Crop", params: { farm: "→Farm", year: "int" } },
  },
});

const SESSIONS: Readonly<Record<NonNullable<ErrorExample["session"]>, Exposure>> = {
  "quay and yard": quayAndYard,
  boats: fixtureExposure([["quay", "Boat", "Person"]]),
  farm: exposureOf([farm]),
  "no search": { ...quayExposure, policy: { apis: { quay: { deny: ["boat_search"] } } } },
};

/** The session of an example; quay unless it says another one. */
export const sessionOf = (name: ErrorExample["session"]): Exposure =>
  name === undefined ? quayExposure : SESSIONS[name];
