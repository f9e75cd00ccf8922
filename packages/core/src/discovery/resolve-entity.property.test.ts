import fc from "fast-check";
import { expect, test } from "vitest";
import { arbitraryCatalogSpec } from "../../test/arbitrary-catalog.ts";
import { buildCatalog } from "../../test/build-catalog.ts";
import type { Catalog } from "../mapping/template.ts";
import type { Policy } from "../policy/policy.ts";
import { entityResolver, type EntityRef } from "./resolve-entity.ts";

const resolveEntity = (
  said: string,
  all: readonly Catalog[],
  policy: Policy,
  own: readonly EntityRef[],
) => entityResolver(all, policy, own)(said);

const IDS = ["east", "north", "south"] as const;

/** Up to three catalogs with the same entities, of which each has some. */
const catalogs: fc.Arbitrary<readonly Catalog[]> = fc
  .subarray([...IDS], { minLength: 1 })
  .chain((ids) =>
    fc.tuple(...ids.map((id) => arbitraryCatalogSpec().map((spec) => buildCatalog(id, spec)))),
  );
const name = fc.constantFrom("Ash", "ash", "Birches", "birch", "cedars", "CEDAR", "oak", "ashes");
const held = fc.array(
  fc.record({ api: fc.constantFrom(...IDS), entity: fc.constantFrom("Ash", "Birch") }),
  { maxLength: 2 },
);
const permitted = fc.subarray([...IDS]);

test("what a name means hangs on no order of catalogs, and names no forbidden one (TEACH-40, SURF-26)", () => {
  fc.assert(
    fc.property(catalogs, name, held, permitted, (all, said, own, ids) => {
      const policy = { apis: Object.fromEntries(ids.map((id) => [id, {}])) };
      const found = resolveEntity(said, all, policy, own);
      expect(resolveEntity(said, all.toReversed(), policy, own.toReversed())).toEqual(found);
      // It answers as if there were only what is permitted.
      const there = all.filter(({ entryId }) => ids.includes(entryId as (typeof IDS)[number]));
      const mine = own.filter(({ api }) => there.some(({ entryId }) => entryId === api));
      expect(resolveEntity(said, there, {}, mine)).toEqual(found);
      const named = found.ok ? [found] : found.candidates;
      for (const { api } of named) expect(ids).toContain(api);
      const places = new Set(named.map(({ api, entity }) => `${api} ${entity}`));
      expect(places.size).toBe(named.length);
      expect(found.ok || named.length !== 1).toBe(true);
    }),
    { numRuns: 30 },
  );
});
