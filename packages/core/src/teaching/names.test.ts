import { expect, test } from "vitest";
import { buildCatalog } from "../../test/build-catalog.ts";
import { headingOf, tableLines, teach } from "../../test/teach.ts";

const NAMES = { notation: "names" } as const;

test("what a program could not reach by its name is written as its symbol (TEACH-26)", () => {
  const catalog = buildCatalog("shop", {
    entities: {
      Item: {
        fields: { id: "str", p1: "str", size: "int" },
        relations: {
          filter: { target: "Item", cardinality: "one" },
          next: { target: "Item", cardinality: "one" },
        },
      },
      page: { fields: { id: "str" } },
      e7: { fields: { id: "str" } },
    },
    capabilities: {
      item_get: { kind: "get", entity: "Item" },
      item_sort: { kind: "action", entity: "Item", more: sideEffect },
      item_mark_lost: { kind: "action", entity: "Item", more: sideEffect },
      page_get: { kind: "get", entity: "page" },
      e7_get: { kind: "get", entity: "e7" },
    },
  });
  const { waves } = teach(new Map([["shop", catalog]]), [[["shop", "Item", "page", "e7"]]], NAMES);
  expect(headingOf(waves[0])).toBe("shop: Item, e2 e7, e3 page");
  expect(tableLines(waves[0])).toEqual([
    "id  str",
    "p4  p1 str",
    "size  int",
    "Item($)[id,p4,size]  Item",
    "Item($).p1  Item filter",
    "Item($).next  Item",
    "Item($).mark-lost()  ()",
    "Item($).m3()  () sort",
    "e2($)[id]  e2 e7",
    "e3($)[id]  e3 page",
  ]);
});

test("a name of two catalogs is written as its symbol from the wave on that makes it ambiguous (TEACH-26)", () => {
  const shop = (more: object) => ({
    entities: { Item: { fields: { id: "str" }, more } },
    capabilities: { item_get: { kind: "get", entity: "Item" } },
  });
  const north = buildCatalog("north", shop({}));
  const south = buildCatalog("south", shop({}));
  const west = buildCatalog("west", {
    entities: { Good: { fields: { id: "str" }, more: { expression_aliases: ["Item"] } } },
    capabilities: { good_get: { kind: "get", entity: "Good" } },
  });
  const catalogs = new Map([
    ["north", north],
    ["south", south],
    ["west", west],
  ]);
  const both = teach(catalogs, [[["north", "Item"]], [["south", "Item"]]], NAMES).waves;
  expect(both.map(headingOf)).toEqual(["north: Item", "Added from south: e2 Item"]);
  expect(tableLines(both[1])).toEqual(["e2($)[id]  e2 south.Item"]);
  const alias = teach(catalogs, [[["north", "Item"]], [["west", "Good"]]], NAMES).waves;
  expect(alias.map(headingOf)).toEqual(["north: Item", "Added from west: Good"]);
});

test("places of types are named, too (TEACH-21, TEACH-26)", () => {
  const catalog = buildCatalog("shop", {
    entities: { Item: { fields: { id: "str", when: "date" } } },
    capabilities: {
      item_query: { kind: "query", entity: "Item", params: { "when?": "datetime" } },
      item_get: { kind: "get", entity: "Item" },
      item_move: { kind: "action", entity: "Item", params: { when: "uuid" }, more: sideEffect },
    },
  });
  const { waves } = teach(new Map([["shop", catalog]]), [[["shop", "Item"]]], NAMES);
  expect(tableLines(waves[0]).filter((line) => line.startsWith("when"))).toEqual([
    "when  date",
    "when  Item{}: datetime",
    "when  Item.move: uuid",
  ]);
});

function sideEffect(): object {
  return { output: { type: "side_effect", description: "done" } };
}
