import fc from "fast-check";
import { expect, test } from "vitest";
import { arbitraryCatalogSet, ENTITIES } from "../../test/arbitrary-catalog.ts";
import { fixtureCatalogs } from "../../test/fixture-catalogs.ts";
import { taughtFacts } from "../../test/taught-facts.ts";
import type { Call } from "../../test/teach.ts";

const pairs = ["north", "south"].flatMap((entryId) =>
  ENTITIES.map((entity) => [entryId, entity] as const),
);

test("P23, TEACH-27: what is taught in the end does not depend on the order of exposure", () => {
  const orders = fc.subarray(pairs, { minLength: 2 }).chain((seeds) => {
    const shuffled = fc.shuffledSubarray(seeds, { minLength: seeds.length });
    return fc.tuple(shuffled, shuffled, fc.integer({ min: 1, max: 3 }));
  });
  fc.assert(
    fc.property(arbitraryCatalogSet(), orders, (catalogs, [one, other, size]) => {
      const stepwise = one.map((seed): Call => [seed]);
      const grouped = Array.from({ length: Math.ceil(other.length / size) }, (_, at): Call =>
        other.slice(at * size, (at + 1) * size),
      );
      expect(taughtFacts(catalogs, grouped)).toEqual(taughtFacts(catalogs, stepwise));
    }),
    { numRuns: 100 },
  );
});

test("the facts of a session are the ones a reader expects", () => {
  const catalogs = fixtureCatalogs("orchard", "depot");
  const facts = taughtFacts(catalogs, [
    [["depot", "Crate"]],
    [["orchard", "Plot"]],
    [["orchard", "Tree"]],
  ]);
  expect(facts).toContain(
    "depot Crate[id,label,state] -> [Crate] Crate opt state with id:uuid label:str state:packed|shipped",
  );
  expect(facts).toContain(
    "orchard Tree.create(species=$, plot=$) -> Tree create opt planted with planted:date plot:Plot species:str",
  );
  expect(facts).toContain("orchard Tree($).prune(on=$) -> () prune opt  with on:date");
});
