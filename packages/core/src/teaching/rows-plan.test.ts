import { assertProperty } from "@plasm/testkit";
import { expect, test } from "vitest";
import { fixtureExposure } from "../../test/fixture-exposure.ts";
import { taughtRows } from "../../test/properties/taught-rows.ts";
import { rowFaults } from "../../test/row-faults.ts";
import { CURRENT_FEATURES } from "../policy/policy.ts";
import type { Notation } from "../symbols/exposure.ts";
import { executableRows } from "../../test/executable-rows.ts";

test.each<Notation>(["symbols", "names"])(
  "P20: every executable row of the fixtures plans to its own capability, in %s",
  (notation) => {
    const exposure = fixtureExposure(["quay", "orchard", "depot", "yard"], { notation });
    expect(executableRows(exposure, CURRENT_FEATURES).length).toBeGreaterThan(20);
    expect(rowFaults(exposure, CURRENT_FEATURES)).toEqual([]);
  },
);

test(
  "P20: every executable row of any catalog plans to its own capability",
  () => assertProperty(taughtRows),
  60_000,
);
