import fc from "fast-check";
import { expect, test } from "vitest";
import { fixtureCatalogs } from "../../test/fixture-catalogs.ts";
import { appendWave, foldWaves } from "./waves.ts";
import {
  entitySymbol,
  grownSymbols,
  isSymbolShaped,
  methodSymbol,
  nameSymbol,
  NO_SYMBOLS,
  rangeOf,
  resolveSymbol,
  type SymbolMap,
} from "./symbols.ts";

const catalogs = fixtureCatalogs("orchard");
const { log } = appendWave([], catalogs, { entryId: "orchard", entities: ["Tree"] });
const symbols = foldWaves(log, catalogs);
const tree = { entryId: "orchard", entity: "Tree" };

test.each([
  ["e1", { kind: "entity", key: tree }],
  ["m4", { kind: "method", key: { ...tree, label: "prune" } }],
  ["p8", { kind: "name", name: "state" }],
  ["e2", { kind: "unallocated", family: "e", range: "e1" }],
  ["m99", { kind: "unallocated", family: "m", range: "m1..m7" }],
  ["p0", { kind: "unallocated", family: "p", range: "p1..p8" }],
  ["p08", { kind: "unallocated", family: "p", range: "p1..p8" }],
  ["Tree", null],
  ["e", null],
  ["e1x", null],
])("resolveSymbol(%s) (TEACH-10, TEACH-11)", (text, expected) => {
  expect(resolveSymbol(symbols, text)).toEqual(expected);
  expect(isSymbolShaped(text)).toBe(expected !== null);
});

test("a family without symbols has the range none (TEACH-11)", () => {
  expect(rangeOf(NO_SYMBOLS, "m")).toBe("none");
});

const keyAt = (n: number) => ({ entryId: "many", entity: `E${n}` });
const mapOf = (numbers: readonly number[]): SymbolMap => ({
  entities: numbers.map(keyAt),
  methods: numbers.map((n) => ({ ...keyAt(n), label: "close" })),
  names: numbers.map((n) => `name${n}`),
});

test("maps that grow out of one another say no more than they hold (TEACH-6)", () => {
  // Each step grows one of the maps that there are by some symbols that it has not.
  const step = fc.record({ of: fc.nat(), more: fc.uniqueArray(fc.nat(30), { maxLength: 4 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const all = [{ map: NO_SYMBOLS, numbers: [] as readonly number[] }];
      for (const { of, more } of steps) {
        const { map, numbers } = all[of % all.length] ?? { map: NO_SYMBOLS, numbers: [] };
        // Asked for in between, so that an index is there to be shared.
        nameSymbol(map, "name0");
        const fresh = more.filter((n) => !numbers.includes(n));
        all.push({ map: grownSymbols(map, mapOf(fresh)), numbers: [...numbers, ...fresh] });
      }
      for (const { map, numbers } of all) {
        for (let n = 0; n <= 30; n += 1) {
          const at = numbers.indexOf(n);
          const told = (family: string) => (at === -1 ? null : `${family}${at + 1}`);
          expect([
            entitySymbol(map, keyAt(n)),
            methodSymbol(map, { ...keyAt(n), label: "close" }),
            nameSymbol(map, `name${n}`),
          ]).toEqual([told("e"), told("m"), told("p")]);
        }
      }
    }),
  );
});
