import fc from "fast-check";
import { expect, test } from "vitest";
import { arbitraryCatalogSet, ENTITIES } from "../../test/arbitrary-catalog.ts";
import { fixtureExposure } from "../../test/fixture-exposure.ts";
import { rowFaults } from "../../test/row-faults.ts";
import { teach } from "../../test/teach.ts";
import { CURRENT_FEATURES } from "../policy/features.ts";
import type { Notation } from "../symbols/exposure.ts";
import { executableRows } from "./executable-rows.ts";

test.each<Notation>(["symbols", "names"])(
  "P20: every executable row of the fixtures plans to its own capability, in %s",
  (notation) => {
    const exposure = fixtureExposure(["quay", "orchard", "depot", "yard"], { notation });
    expect(executableRows(exposure, CURRENT_FEATURES).length).toBeGreaterThan(20);
    expect(rowFaults(exposure, CURRENT_FEATURES)).toEqual([]);
  },
);

test.each([
  ["what is on", CURRENT_FEATURES],
  ["effects", { ...CURRENT_FEATURES, effects: true }],
])(
  "P20: every executable row of any catalog plans to its own capability, with %s",
  (_, features) => {
    const notation = fc.constantFrom<Notation>("symbols", "names");
    fc.assert(
      fc.property(arbitraryCatalogSet(), notation, (catalogs, spelled) => {
        const calls = [...catalogs.keys()].map((entryId) => [[entryId, ...ENTITIES] as const]);
        const { exposure } = teach(catalogs, calls, { notation: spelled, features });
        expect(rowFaults(exposure, features)).toEqual([]);
      }),
      { numRuns: 25 },
    );
  },
  60_000,
);
