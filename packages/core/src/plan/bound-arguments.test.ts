import { describe, expect, test } from "vitest";
import { fullPlan, linesOf } from "../../test/bill-of.ts";
import { buildCatalog } from "../../test/build-catalog.ts";
import { exposureOf } from "../../test/exposure-of.ts";

const scoped = (capability: string, param: string) => ({
  target: "Item",
  cardinality: "many",
  materialize: { kind: "query_scoped", capability, param },
});

const market = exposureOf([
  buildCatalog("market", {
    entities: {
      Shop: {
        fields: { id: "str", name: "str", city: "str", keeper: "int" },
        relations: {
          items: scoped("item_query", "shop"),
          nearby: {
            target: "Item",
            cardinality: "many",
            materialize: {
              kind: "query_scoped_bindings",
              capability: "item_near",
              bindings: { place: "city", name: "name" },
            },
          },
          owner: {
            target: "Person",
            cardinality: "one",
            materialize: {
              kind: "get_scoped_bindings",
              capability: "person_get",
              bindings: { number: "keeper" },
            },
          },
        },
      },
      Item: { fields: { id: "str", name: "str", shop: "→Shop", maker: "→Person" } },
      Person: { key: ["number"], fields: { number: "int", name: "str" } },
    },
    capabilities: {
      shop_query: { kind: "query", entity: "Shop" },
      shop_get: { kind: "get", entity: "Shop" },
      item_query: {
        kind: "query",
        entity: "Item",
        params: { shop: "→Shop", "name?": "str" },
        roles: { shop: "scope" },
        path: ["shop"],
      },
      item_near: {
        kind: "query",
        entity: "Item",
        params: { place: "str", name: "str" },
        path: ["place", "name"],
      },
      item_get: { kind: "get", entity: "Item" },
      person_get: { kind: "get", entity: "Person", path: ["number"] },
      item_move: { kind: "action", entity: "Item", params: { to: "str" }, path: ["shop", "id"] },
      item_drop: { kind: "delete", entity: "Item" },
    },
  }),
]);

const last = (text: string): string => linesOf(text, market).at(-1) ?? "";

describe("17.3 RUN-010, RUN-044: plan text shows the arguments that the row at hand gives", () => {
  test("the row that a relation is followed from, known by its key or not", () => {
    expect(last('Shop("s1").items')).toBe("n1 relation market.Shop(id=s1).items query(shop=_)");
    expect(last("Shop.limit(2).items")).toMatch(
      /^n2 relation market\.Shop\.items query\(shop=_\) ← n1/,
    );
  });

  test("the fields that its list or get is bound to", () => {
    expect(last("Shop.limit(2).nearby")).toContain(
      " market.Shop.nearby near(name=_.name, place=_.city) ← n1",
    );
    expect(last("Shop.limit(2).owner")).toContain(" market.Shop.owner get(number=_.keeper) ← n1");
  });

  test("before what the program wrote", () => {
    expect(last('Shop("s1").items{name=tea}')).toContain(" query(shop=_, name=tea)");
  });

  test("a join that is bound", () => {
    const lines = linesOf("Shop.limit(2)[name, owner.name]", market);
    expect(lines.find((line) => line.includes(" join "))).toMatch(
      /^n\d join owner get\(number=_\.keeper\) ← n\d/,
    );
  });

  test("what rows of a relation carry to an effect that needs it", () => {
    expect(last('Shop("s1").items => _.move(to=x)')).toContain(
      'effect market.Item(_).move(shop=_.shop, to="x")',
    );
    expect(last('a = Shop("s1").items.singleton()\na.move(to=x)')).toContain(
      'effect market.Item(a).move(shop=a.shop, to="x")',
    );
    expect(last('Shop("s1").items => _.move(to=x, shop=s2)')).toContain(
      'effect market.Item(_).move(shop="s2", to="x")',
    );
    expect(last('Shop("s1").items => _.drop()')).toContain("effect market.Item(_).drop()");
  });

  test("nothing that is visible already: references, rows in hand, lists, gets", () => {
    expect(last('Item("i1").maker')).toContain(" market.Item.maker get() ");
    expect(last('Shop("s1")')).toBe("n1 get market.Shop get(id=s1)");
    expect(last("Item{shop=s1}")).toBe("n1 query market.Item query(shop=s1)");
  });

  test("PLAN-011, PLAN-012: nothing of it is hashed", () => {
    const { nodes, commit, summary } = fullPlan('Shop("s1").items', market);
    expect(nodes[0]).toMatchObject({ args: {} });
    expect(summary.nodes["n1"]?.bound).toEqual({ shop: "_" });
    expect(commit).toBe("sha256:732ead0ee41dfbce080fb47fa6ac5f343f0fea97b7f6ca068c42fcdafa9d802e");
  });
});
