import { expect, test } from "vitest";
import { fixtureExposure } from "../../test/fixture-exposure.ts";
import { errorsOf, nodesOf } from "../../test/plan-of.ts";
import { entitiesNamed } from "./exposure.ts";

const waves = ["quay", "yard"] as const;
const names = fixtureExposure(waves, { notation: "names" });
const symbols = fixtureExposure(waves);

test("in names a name goes on to mean what its table taught (TEACH-26)", () => {
  expect(entitiesNamed(names, "Boat")).toEqual([{ entryId: "quay", entity: "Boat" }]);
  expect(nodesOf("Boat.limit(1)", names)).toMatchObject([{ catalog: { entry_id: "quay" } }]);
});

test("C-064 in symbols a name that two catalogs share is ambiguous (TEACH-10)", () => {
  expect(entitiesNamed(symbols, "Boat")).toHaveLength(2);
  expect(errorsOf("Boat", symbols)).toMatchObject([{ code: "ambiguous_entity" }]);
});
