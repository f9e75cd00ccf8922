import { expect, test } from "vitest";
import { buildCatalog } from "../../test/build-catalog.ts";
import { fixtureCatalogs } from "../../test/fixture-catalogs.ts";
import { canBeSeed } from "../model/lookups.ts";
import { appendWave, orderSeeds } from "./waves.ts";

const catalogs = fixtureCatalogs("orchard", "depot");
const orchard = (...entities: string[]) => ({ entryId: "orchard", entities });

test("entities of a wave are deduplicated, sorted and stripped of exposed ones (TEACH-5)", () => {
  const first = appendWave([], catalogs, orchard("Tree", "Plot", "Tree"));
  expect(first.entry).toEqual({
    entryId: "orchard",
    entities: ["Plot", "Tree"],
    digest: catalogs.get("orchard")?.digest,
  });
  const second = appendWave(first.log, catalogs, orchard("Tree", "Harvest"));
  expect(second.entry?.entities).toEqual(["Harvest"]);
  expect(second.log).toHaveLength(2);
});

test("a wave without a new entity is not logged (TEACH-5)", () => {
  const { log } = appendWave([], catalogs, orchard("Tree"));
  expect(appendWave(log, catalogs, orchard("Tree", "Tree"))).toEqual({ log, entry: null });
});

test("all waves of one catalog carry one digest (TEACH-5)", () => {
  const { log } = appendWave([], catalogs, orchard("Tree"));
  const changed = new Map([...catalogs].map(([id, each]) => [id, { ...each, digest: "other" }]));
  expect(() => appendWave(log, changed, orchard("Harvest"))).toThrow("changed within a session");
});

test("unknown and abstract entities are never exposed (TEACH-7)", () => {
  const shop = buildCatalog("shop", {
    entities: {
      Item: { fields: { id: "str" } },
      Base: { fields: { id: "str" }, more: { abstract: true } },
    },
    capabilities: { item_get: { kind: "get", entity: "Item" } },
  });
  const shops = new Map([["shop", shop]]);
  const wave = (entity: string) => () =>
    appendWave([], shops, { entryId: "shop", entities: [entity] });
  expect(wave("Base")).toThrow("shop.Base is no seed");
  expect(wave("Nothing")).toThrow("shop.Nothing is no seed");
  expect(wave("Item")().entry?.entities).toEqual(["Item"]);
});

test("17.14 TEACH-7: an abstract entity whose rows can be had is a seed", () => {
  const shop = buildCatalog("shop", {
    entities: {
      Item: {
        fields: { id: "str" },
        relations: {
          parts: {
            target: "Part",
            cardinality: "many",
            materialize: { kind: "from_parent_get", path: [{ key: "parts" }, { wildcard: true }] },
          },
        },
      },
      Part: { fields: { id: "str" }, more: { abstract: true } },
      Rate: { fields: { id: "str" }, more: { abstract: true } },
      Base: { fields: { id: "str" }, more: { abstract: true } },
    },
    capabilities: {
      item_get: { kind: "get", entity: "Item" },
      rate_get: { kind: "get", entity: "Rate" },
    },
  });
  const shops = new Map([["shop", shop]]);
  for (const entity of ["Part", "Rate"]) {
    const { entry } = appendWave([], shops, { entryId: "shop", entities: [entity] });
    expect(entry?.entities).toEqual([entity]);
  }
  const seeds = [...shop.cgs.entities.values()].filter((one) => canBeSeed(shop.cgs, one));
  expect(seeds.map(({ name }) => name).toSorted()).toEqual(["Item", "Part", "Rate"]);
});

test("seeds are grouped by catalog, catalogs in code-point order (SESS-16, A23)", () => {
  expect(
    orderSeeds([
      { entryId: "orchard", entity: "Tree" },
      { entryId: "depot", entity: "Harvest" },
      { entryId: "orchard", entity: "Harvest" },
      { entryId: "depot", entity: "Crate" },
      { entryId: "depot", entity: "Harvest" },
    ]),
  ).toEqual([
    { entryId: "depot", entities: ["Crate", "Harvest"] },
    { entryId: "orchard", entities: ["Harvest", "Tree"] },
  ]);
});
