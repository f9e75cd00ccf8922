import fc from "fast-check";
import { expect, test } from "vitest";
import type { CatalogRegistry } from "../ports.ts";
import { fixtureEntry } from "../../test/fixture-entry.ts";
import { reuseKey } from "./context-base.ts";
import type { Seed } from "../embed/agent-session.ts";
import { readSeeds, resolveSeeds } from "./seeds.ts";

const catalogs = [fixtureEntry("yard"), fixtureEntry("quay")];
const registry: CatalogRegistry = {
  list: () => catalogs,
  get: (id) => catalogs.find(({ catalog }) => catalog.entryId === id),
};

function keyOf(seeds: readonly Seed[]): string {
  const asked = readSeeds(seeds, registry, {}, () => "");
  const { groups } = resolveSeeds(asked, { registry, policy: {}, live: null, intent: null });
  const [{ entryId: primary, entities }] = groups;
  const digest = registry.get(primary)?.catalog.digest ?? "";
  const none = { principal: null, pluginGeneration: null, logicalId: null, readOnly: false };
  return reuseKey({ scope: "t", primary, digest, entities, ...none });
}

const QUAY: readonly Seed[] = ["Boat", "Person", "Visit", "Log"].map((entity) => ({
  api: "quay",
  entity,
}));
const YARD: readonly Seed[] = ["Boat", "Part"].map((entity) => ({ api: "yard", entity }));

test("B6 SESS-13 the first catalog by name is the primary: no order or repetition makes another key", () => {
  const asked = fc
    .tuple(fc.subarray([...QUAY], { minLength: 1 }), fc.subarray([...YARD]))
    .chain(([quay, yard]) => {
      const all = [...quay, ...yard];
      return fc.tuple(
        fc.constant(quay),
        fc.shuffledSubarray([...all, ...all], { minLength: all.length * 2 }),
      );
    });
  fc.assert(
    fc.property(asked, ([quay, shuffled]) => {
      // What is not of the primary is no part of its key.
      expect(keyOf(shuffled)).toBe(keyOf(quay));
    }),
  );
});

test("B14 SESS-13 another set of the primary's seeds is another key, whatever else is asked for", () => {
  const sets = fc.tuple(
    fc.subarray([...QUAY], { minLength: 1 }),
    fc.subarray([...QUAY], { minLength: 1 }),
    fc.subarray([...YARD]),
  );
  fc.assert(
    fc.property(sets, ([a, b, yard]) => {
      const same = JSON.stringify(a) === JSON.stringify(b);
      expect(keyOf([...a, ...yard]) === keyOf([...yard, ...b])).toBe(same);
    }),
  );
});

test("SESS-13 seeds that name no catalog make the key of what they mean", () => {
  const named = [{ api: "quay", entity: "Person" }, ...YARD.slice(1)];
  expect(keyOf([{ entity: "Part" }, { entity: "Person" }])).toBe(keyOf(named));
});
