import { describe, expect, it } from "vitest";
import { answering, integer, list, made, object, ref, text } from "../testing/made.ts";

const line = object({ id: integer, count: integer, product_id: text });
const order = object({ id: text, lines: list(ref("OrderLine")) });
const product = object({ id: text, name: text });
const schemas = { Order: order, OrderLine: line, Product: product };
const paths = {
  "/orders": { get: answering(list(ref("Order"))) },
  "/orders/{id}": { get: answering(ref("Order")) },
  "/products/{id}": { get: answering(ref("Product")) },
};

const heldIn = (name: string) => ({
  cardinality: "many",
  materialize: { kind: "from_parent_get", path: [{ key: name }, { wildcard: true }] },
});

/** The entities of a document, which has to load without a word. */
async function entitiesOf(more: object, components: object = schemas) {
  const { domain, diagnostics } = await made(
    { ...paths, ...more },
    { components: { schemas: components } },
  );
  expect(diagnostics).toEqual([]);
  return domain.entities;
}

describe("rows that stand in others and nowhere else (ADR 0222)", () => {
  it("are rows of an entity without a key, which know what they stand in, and are JSON as a whole", async () => {
    const { Order, OrderLine } = await entitiesOf({});
    expect(Order?.fields).toEqual({
      id: { value_ref: "text", required: true },
      lines: { value_ref: "free", description: "{count, id, product_id}" },
    });
    expect(Order?.["relations"]).toEqual({ lines: { target: "OrderLine", ...heldIn("lines") } });
    expect(OrderLine).toEqual({
      description: "stands in rows of Order",
      abstract: true,
      fields: {
        order: { value_ref: "order" },
        order_line_id: { value_ref: "integer", path: ["id"] },
        count: { value_ref: "integer" },
        product_id: { value_ref: "product" },
      },
    });
  });

  it("are of one entity where several hold them, and then say of none", async () => {
    const cart = object({ id: text, items: list(ref("OrderLine")) });
    const more = { "/carts/{id}": { get: answering(ref("Cart")) } };
    const found = await entitiesOf(more, { ...schemas, Cart: cart });
    expect(Object.keys(found)).toEqual(["Cart", "Order", "OrderLine", "Product"]);
    expect(found["Cart"]?.["relations"]).toMatchObject({ items: { target: "OrderLine" } });
    expect(Object.keys(found["OrderLine"]?.fields ?? {})).not.toContain("order");
  });

  it("are called by what holds them, where they have no name, or one of another's", async () => {
    const note = object({ text });
    const holder = {
      ...order,
      properties: { id: text, notes: list(note), lines: list(ref("V2.Product")) },
    };
    const found = await entitiesOf({}, { ...schemas, Order: holder, "V2.Product": note });
    expect(Object.keys(found)).toEqual(["Order", "OrderLine", "OrderNote", "Product"]);
  });

  it.each<[string, object]>([
    ["objects that say nothing", list({ type: "object" })],
    ["objects of objects alone", list(object({ box: object({ a: text }) }))],
    ["texts", list(text)],
    ["what is only written", { ...list(line), writeOnly: true }],
  ])("%s are none", async (_what, lines) => {
    const found = await entitiesOf({}, { ...schemas, Order: object({ id: text, lines }) });
    expect(Object.keys(found)).toEqual(["Order", "Product"]);
  });

  it("in rows without a key stay JSON, and so do those within others", async () => {
    const inner = {
      ...schemas,
      OrderLine: object({ count: integer, parts: list(object({ a: text })) }),
    };
    const found = await entitiesOf(
      { "/state": { get: answering(object({ up: text, parts: list(object({ b: text })) })) } },
      inner,
    );
    expect(Object.keys(found)).toEqual(["Order", "OrderLine", "Product", "State"]);
    expect(found["OrderLine"]?.fields).toMatchObject({ parts: { value_ref: "free" } });
    expect(found["State"]?.fields).toMatchObject({ parts: { value_ref: "free" } });
  });
});
