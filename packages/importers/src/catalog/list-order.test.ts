import { expect, it } from "vitest";
import { answering, integer, list, made, object, query, text } from "../testing/made.ts";

const boat = object({
  id: text,
  name: text,
  price: integer,
  created_at: { type: "string", format: "date-time" },
  updated: { type: "string", format: "date" },
});

/** The `sort` of a list with these parameters. */
async function sortOf(...parameters: readonly object[]): Promise<unknown> {
  const { domain, diagnostics } = await made({
    "/boats": { get: answering(list(boat), { parameters }) },
    "/boats/{id}": { get: answering(boat) },
  });
  expect(diagnostics).toEqual([]);
  return domain.capabilities["boat_query"]?.["sort"];
}

const words = (...all: readonly string[]) => ({ type: "string", enum: all });

it("a parameter of columns and one of the direction are the order of a list (CAT-144)", async () => {
  const by = query("sort", words("created", "updated", "price", "name", "comments"));
  const columns = { created_at: "created", updated: "updated", price: "price" };
  expect(await sortOf(by, query("direction", words("asc", "desc")))).toEqual({
    param: "sort",
    columns,
    direction: "direction",
  });
  expect(
    await sortOf(query("order_by", words("price")), query("sort", words("DESC", "ASC"))),
  ).toEqual({
    param: "order_by",
    columns: { price: "price" },
    direction: "sort",
    ascending: "ASC",
    descending: "DESC",
  });
});

it.each([
  [["price", "-price", "updated"], { ascending: "price", descending: "-price" }],
  [["price_asc", "price_desc", "name_asc"], { ascending: "price_asc", descending: "price_desc" }],
  [["price:desc", "name:asc"], { descending: "price:desc" }],
  [["priceAsc", "priceDesc"], { ascending: "priceAsc", descending: "priceDesc" }],
])("words that have their direction in them: %j", async (all, price) => {
  expect(await sortOf(query("sort", words(...all)))).toEqual({ param: "sort", columns: { price } });
});

it.each([
  ["one word for both directions, and no parameter that says it", [query("sort", words("price"))]],
  ["any text", [query("sort"), query("direction", words("asc", "desc"))]],
  ["a direction in any text", [query("sort", words("price")), query("direction")]],
  [
    "columns that are texts",
    [query("sort", words("name")), query("direction", words("asc", "desc"))],
  ],
  [
    "two parameters of columns",
    [
      query("sort", words("price")),
      query("sort_by", words("updated")),
      query("dir", words("asc", "desc")),
    ],
  ],
])("no order is certain of %s", async (_what, parameters) => {
  expect(await sortOf(...parameters)).toBeUndefined();
});
