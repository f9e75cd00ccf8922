import fc from "fast-check";
import { expect, test } from "vitest";
import { arbitraryCatalogSet, ENTITIES } from "../../test/arbitrary-catalog.ts";
import type { CatalogSet } from "../catalog/federation.ts";
import { appendWave, foldWaves, orderSeeds, type WaveEntry } from "./waves.ts";
import { entitySymbol, methodSymbol, nameSymbol, resolveSymbol } from "./symbols.ts";

const catalogSets = arbitraryCatalogSet();

const seedGroups = fc.array(
  fc.record({
    entryId: fc.constantFrom("north", "south"),
    entities: fc.array(fc.constantFrom(...ENTITIES), { minLength: 1, maxLength: 4 }),
  }),
  { minLength: 1, maxLength: 8 },
);

function exposed(catalogs: CatalogSet, groups: readonly { entryId: string; entities: string[] }[]) {
  return groups.reduce<readonly WaveEntry[]>(
    (log, group) => appendWave(log, catalogs, group).log,
    [],
  );
}

test("P1, A4, A10: each later map extends the earlier one, for any wave sequence", () => {
  fc.assert(
    fc.property(catalogSets, seedGroups, (catalogs, groups) => {
      const log = exposed(catalogs, groups);
      const whole = foldWaves(log, catalogs);
      for (let n = 0; n <= log.length; n++) {
        const part = foldWaves(log.slice(0, n), catalogs);
        expect(whole.entities.slice(0, part.entities.length)).toEqual(part.entities);
        expect(whole.methods.slice(0, part.methods.length)).toEqual(part.methods);
        expect(whole.names.slice(0, part.names.length)).toEqual(part.names);
      }
    }),
    { numRuns: 50 },
  );
});

test("P2: indices are dense from 1, and symbol and key are one to one", () => {
  fc.assert(
    fc.property(catalogSets, seedGroups, (catalogs, groups) => {
      const symbols = foldWaves(exposed(catalogs, groups), catalogs);
      for (const [at, key] of symbols.entities.entries()) {
        expect(entitySymbol(symbols, key)).toBe(`e${at + 1}`);
        expect(resolveSymbol(symbols, `e${at + 1}`)).toEqual({ kind: "entity", key });
      }
      for (const [at, key] of symbols.methods.entries()) {
        expect(methodSymbol(symbols, key)).toBe(`m${at + 1}`);
        expect(resolveSymbol(symbols, `m${at + 1}`)).toEqual({ kind: "method", key });
      }
      for (const [at, name] of symbols.names.entries()) {
        expect(nameSymbol(symbols, name)).toBe(`p${at + 1}`);
        expect(resolveSymbol(symbols, `p${at + 1}`)).toEqual({ kind: "name", name });
      }
      const beyond = `e${symbols.entities.length + 1}`;
      expect(resolveSymbol(symbols, beyond)?.kind).toBe("unallocated");
    }),
    { numRuns: 50 },
  );
});

test("P3: order and repetition of seeds in one call are irrelevant", () => {
  const seeds = fc.array(
    fc.record({ entryId: fc.constantFrom("north", "south"), entity: fc.constantFrom(...ENTITIES) }),
    { minLength: 1, maxLength: 6 },
  );
  const shuffled = seeds.chain((list) =>
    fc.tuple(
      fc.constant(list),
      fc.shuffledSubarray([...list, ...list], { minLength: list.length * 2 }),
    ),
  );
  fc.assert(
    fc.property(shuffled, ([list, other]) => {
      expect(orderSeeds(other)).toEqual(orderSeeds(list));
    }),
  );
});
