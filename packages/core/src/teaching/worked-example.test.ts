import { expect, test } from "vitest";
import { fixtureCatalogs } from "../../test/fixture-catalogs.ts";
import { ALL_FEATURES } from "../policy/features.ts";
import { exposeSeeds } from "./expose-seeds.ts";
test("x", () => {
  const catalogs = fixtureCatalogs("orchard", "depot");
  let log: any = [];
  for (const seeds of [
    [{ entryId: "orchard", entities: ["Tree"] }],
    [{ entryId: "orchard", entities: ["Harvest"] }],
    [{ entryId: "depot", entities: ["Harvest", "Crate"] }],
  ]) {
    const r = exposeSeeds({
      exposure: { log },
      catalogs,
      seeds,
      notation: "symbols",
      policy: {},
      features: ALL_FEATURES,
    });
    for (const w of r.waves) console.log(w.parts, w.untaught, w.e, w.m, w.p, "\n" + w.text);
    log = r.log;
  }
  expect(1).toBe(1);
});
