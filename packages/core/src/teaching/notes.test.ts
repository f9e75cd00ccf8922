import { expect, test } from "vitest";
import { buildCatalog, type CatalogSpec } from "../../test/build-catalog.ts";
import { fixtureCatalogs } from "../../test/fixture-catalogs.ts";
import { rowsOf, tableLines, teach, type Call } from "../../test/teach.ts";
import { saysMoreThanNames } from "./clean-text.ts";
import { cutTexts } from "./cut-texts.ts";

const sideEffect = () => ({ output: { type: "side_effect", description: "done" } });

const SHOP: CatalogSpec = {
  entities: {
    Cart: {
      description: "what a customer is about to buy",
      fields: { id: ["int", "number of the cart"], state: ["str", "open or paid"], note: "str" },
    },
    Item: {
      description: "one thing on sale",
      fields: {
        id: ["int", "number on the label"],
        note: ["str", "remarks of the buyer"],
        state: ["str", "Open or paid."],
      },
      relations: {
        carts: { target: "Cart", cardinality: "many", materialize: listOf("cart_query", "item") },
        parts: { target: "Part", cardinality: "many", materialize: listOf("part_query", "item") },
        makers: { target: "Maker", cardinality: "many", materialize: listOf("maker_list", "item") },
        twins: { target: "Item", cardinality: "many", materialize: { kind: "unavailable" } },
        ghosts: { target: "Maker", cardinality: "many", materialize: { kind: "unavailable" } },
      },
    },
    Part: {
      description: "a part of an item",
      fields: { id: "int" },
      relations: {
        makers: { target: "Maker", cardinality: "many", materialize: listOf("maker_list", "item") },
      },
    },
    Maker: { fields: { id: "int" } },
  },
  capabilities: {
    cart_query: {
      kind: "query",
      entity: "Cart",
      description: "carts of the last 30 days, newest first",
      params: { "item?": "→Item" },
    },
    cart_get: { kind: "get", entity: "Cart", description: "Get a cart by its id." },
    item_query: { kind: "query", entity: "Item", description: "List all items" },
    item_get: { kind: "get", entity: "Item", description: "with its price history" },
    item_flag: {
      kind: "action",
      entity: "Item",
      params: { note: "str" },
      more: (ref) => ({
        parameters: [
          { name: "note", required: true, description: "why it is flagged", value_ref: ref("str") },
        ],
        ...sideEffect(),
      }),
    },
    part_query: { kind: "query", entity: "Part", params: { item: "→Item" } },
    maker_list: { kind: "query", entity: "Maker", params: { item: "→Item" } },
  },
};

function listOf(capability: string, param: string): object {
  return { kind: "query_scoped", capability, param };
}

const catalogs = new Map([["shop", buildCatalog("shop", SHOP)]]);

const meaningOf = (calls: readonly Call[], left: string): readonly string[] =>
  teach(catalogs, calls, { notation: "names" }).waves.flatMap((wave) =>
    rowsOf(wave).flatMap(([cell, meaning]) => (cell === left ? [meaning] : [])),
  );

const lastLine = (text = ""): string => text.trimEnd().split("\n").at(-1) ?? "";

test("17.17 TEACH-13: the field of a second entity keeps its own description", () => {
  expect(meaningOf([[["shop", "Cart", "Item"]]], "id")).toEqual([
    "int · number of the cart",
    "Item: int · number on the label",
  ]);
});

test("17.17: a description equal to the one taught is not taught again, whatever its signs", () => {
  expect(meaningOf([[["shop", "Cart", "Item"]]], "state")).toEqual(["str · open or paid"]);
});

test("17.17: a name taught without a note gets the note of each owner that has one", () => {
  expect(meaningOf([[["shop", "Cart"]], [["shop", "Item"]]], "note")).toEqual([
    "str",
    "Item: str · remarks of the buyer",
    "Item.flag: str · why it is flagged",
  ]);
});

test("17.17: a parameter keeps its own description beside the field of its name", () => {
  expect(meaningOf([[["shop", "Item"]]], "note")).toEqual([
    "str · remarks of the buyer",
    "Item.flag: str · why it is flagged",
  ]);
});

test("17.17: in symbols a note stands behind the place it is of (TEACH-21)", () => {
  const { waves } = teach(catalogs, [[["shop", "Item"]]]);
  expect(tableLines(waves[0])).toContain("p5  m1: str · why it is flagged");
});

test("17.17: a head and a get say what their names do not", () => {
  const calls: readonly Call[] = [[["shop", "Cart", "Item"]]];
  expect(meaningOf(calls, "Cart[id,note,state]")).toEqual([
    "[Cart] · opt item · what a customer is about to buy · carts of the last 30 days, newest first",
  ]);
  expect(meaningOf(calls, "Cart($)")).toEqual(["Cart"]);
  expect(meaningOf(calls, "Item[id,note,state]")).toEqual(["[Item] · one thing on sale"]);
  expect(meaningOf(calls, "Item($)")).toEqual(["Item · with its price history"]);
});

test.each([
  ["List all pull requests", ["PullRequest", "query"], false],
  ["Get one pull request by its number", ["PullRequest", "number"], false],
  ["Lists the categories", ["Category"], false],
  ["open ones, newest first", ["Issue", "query", "an issue"], true],
  ["", ["Issue"], false],
])("17.17: %j beside %j says more: %s", (text, names, expected) => {
  expect(saysMoreThanNames(text, names)).toBe(expected);
});

test("17.17: relations to entities not seeded are named once, in one line", () => {
  const { waves } = teach(catalogs, [
    [["shop", "Item"]],
    [["shop", "Part"]],
    [["shop", "Cart"]],
    [["shop", "Maker"]],
  ]);
  expect(waves.map(({ text }) => lastLine(text))).toEqual([
    "also: carts → Cart, makers → Maker, parts → Part",
    "```",
    "```",
    "```",
  ]);
});

test("17.17: the line has a bound, however many relations an entity has", () => {
  const names = Array.from({ length: 30 }, (_, at) => `r${String(at).padStart(2, "0")}`);
  const many = (name: string) => [
    name,
    { target: "Maker", cardinality: "many", materialize: listOf("maker_list", "item") },
  ];
  const spec = {
    ...SHOP,
    entities: {
      ...SHOP.entities,
      Item: { fields: { id: "int" }, relations: Object.fromEntries(names.map(many)) },
    },
  };
  const wide = new Map([["shop", buildCatalog("shop", spec)]]);
  const [wave] = teach(wide, [[["shop", "Item"]]]).waves;
  const line = lastLine(wave?.text);
  expect(line.split(", ")).toHaveLength(13);
  expect(line).toMatch(/r11 → Maker, \+18$/);
});

test("17.17: policy hides the relation whose list it hides (TEACH-8)", () => {
  const policy = { apis: { shop: { deny: ["cart_query"] } } };
  const { waves } = teach(catalogs, [[["shop", "Item"]]], { policy });
  expect(lastLine(waves[0]?.text)).toBe("also: makers → Maker, parts → Part");
});

test("17.17 TEACH-13: what a table cuts is known by its place and its length", () => {
  const long = "long ".repeat(40);
  const spec: CatalogSpec = {
    entities: {
      Item: {
        description: long,
        fields: { id: "int", note: ["str", long] },
        relations: {
          twin: {
            target: "Item",
            cardinality: "one",
            description: long,
            materialize: { kind: "unavailable" },
          },
        },
      },
    },
    capabilities: {
      item_get: { kind: "get", entity: "Item", description: long },
      item_flag: {
        kind: "action",
        entity: "Item",
        description: long,
        params: { why: "str" },
        more: (ref) => ({
          parameters: [{ name: "why", required: true, description: long, value_ref: ref("str") }],
          ...sideEffect(),
        }),
      },
    },
  };
  const catalog = buildCatalog("shop", spec);
  const cut = [
    { kind: "entity", of: "Item", length: 199, limit: 160 },
    { kind: "field", of: "Item.note", length: 199, limit: 80 },
    { kind: "relation", of: "Item.twin", length: 199, limit: 80 },
    { kind: "capability", of: "Item.flag", length: 199, limit: 100 },
    { kind: "argument", of: "Item.flag.why", length: 199, limit: 80 },
    { kind: "capability", of: "Item.get", length: 199, limit: 100 },
  ];
  expect(cutTexts(catalog, ["Item"])).toEqual(cut);
  const { waves } = teach(new Map([["shop", catalog]]), [[["shop", "Item"]]]);
  expect(waves[0]?.cut).toEqual(cut);
});

test("17.17: catalogs whose texts fit have nothing cut", () => {
  for (const [, catalog] of fixtureCatalogs("quay", "yard", "orchard", "depot")) {
    expect(cutTexts(catalog, [...catalog.cgs.entities.keys()])).toEqual([]);
  }
});
