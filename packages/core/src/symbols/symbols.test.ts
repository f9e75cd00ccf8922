import { expect, test } from "vitest";
import { fixtureCatalogs } from "../../test/fixture-catalogs.ts";
import { appendWave, foldWaves, NO_SYMBOLS } from "./waves.ts";
import { isSymbolShaped, rangeOf, resolveSymbol } from "./symbols.ts";

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
