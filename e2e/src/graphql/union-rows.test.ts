import { afterAll, beforeAll, expect, it } from "vitest";
import { type ServedSchema, serveSchema } from "./served-schema.ts";

/** A search of several kinds of things, orders that page by a cursor or an offset, and a change that finds no row. */
const SCHEMA = `
  scalar BigFloat
  type Query {
    search(text: String!, first: Int, after: String): Found!
    boat(id: ID!): Boat
    orders(first: Int, offset: Int, after: String): Orders!
  }
  type Mutation { settle(number: Int!): Settled }
  union Thing = Boat | Person
  type Found { edges: [Edge!]! pageInfo: PageInfo! }
  type Edge { node: Thing! }
  type Boat { id: ID! name: String! state: BoatState! }
  type Person { id: ID! name: String! state: PersonState email: String }
  enum BoatState { MOORED OUT }
  enum PersonState { ASHORE }
  type Orders { nodes: [Order!]! pageInfo: PageInfo! }
  type Order { id: ID! total: BigFloat! lines: [Line!]! }
  type Line { title: String! price: Price! }
  type Price { amount: Float! }
  type Settled { order: Order }
  type PageInfo { hasNextPage: Boolean! endCursor: String }`;

interface Asked {
  readonly first?: number;
  readonly offset?: number;
  readonly after?: string;
}

/** A page of rows behind a cursor, from an offset behind that on. */
function pageOf<T>(all: readonly T[], { first = 20, offset = 0, after }: Asked) {
  const from = Number(after ?? 0) + offset;
  const end = Math.min(from + first, all.length);
  const pageInfo = { hasNextPage: end < all.length, endCursor: String(end) };
  return { rows: all.slice(from, end), pageInfo };
}

const things = Array.from({ length: 70 }, (_none, at) =>
  at % 2 === 0
    ? { __typename: "Boat", id: `b${at}`, name: `boat ${at}`, state: "OUT" }
    : { __typename: "Person", id: `p${at}`, name: `person ${at}`, state: null, email: null },
);
const orders = Array.from({ length: 120 }, (_none, at) => ({
  id: `o${at}`,
  total: `${at}.50`,
  lines: [{ title: "rope", price: { amount: at } }],
}));

let served: ServedSchema;

beforeAll(async () => {
  const Query = {
    search: (_: unknown, asked: Asked) => {
      const { rows, pageInfo } = pageOf(things, asked);
      return { edges: rows.map((node) => ({ node })), pageInfo };
    },
    boat: (_: unknown, { id }: { readonly id: string }) => things.find((one) => one.id === id),
    orders: (_: unknown, asked: Asked) => {
      const { rows, pageInfo } = pageOf(orders, asked);
      return { nodes: rows, pageInfo };
    },
  };
  const Mutation = { settle: () => ({ order: null }) };
  served = await serveSchema(SCHEMA, { Query, Mutation }, ["Thing", "Boat", "Order"]);
});
afterAll(() => served.close());

it("RUN-210 rows of a union are read to their end, say what they are, and are told apart by their values", async () => {
  expect(await served.run('Thing~"a".aggregate(n=count)')).toContain("\nn\n70\n");
  expect(await served.run('Thing~"a".filter{type="Person"}.aggregate(n=count)')).toContain(
    "\n35\n",
  );
  const text = await served.run('Thing~"a"{state=OUT}.limit(1)[id, type, name, state]');
  expect(text).toContain("\nb0\tBoat\tboat 0\tOUT\n");
});

it("RUN-210 sums amounts of any form, and takes objects of lines apart", async () => {
  expect(await served.run("Order.aggregate(n=count, s=sum(total))")).toContain("\n120\t7200\n");
  expect(await served.run("Order.filter{total > 118}[lines.price.amount]")).toContain("[118]\n");
});

it("RUN-211 a change that finds no row is not done", async () => {
  expect(await served.run("Order.settle(number=7)")).toMatch(
    /effect_in_doubt[^]*settle was answered with no Order and no error/,
  );
});
