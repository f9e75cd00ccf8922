import { afterAll, beforeAll, expect, it } from "vitest";
import { type ServedSchema, serveSchema } from "./served-schema.ts";

/** Lists that their server sorts: by an object of a word and a direction, by words with one, by a list of such. */
const SCHEMA = `
  type Query {
    boats(first: Int, after: String, orderBy: BoatOrder = {field: NAME, direction: ASC}): Boats!
    crews(first: Int, offset: Int, orderBy: [CrewsOrderBy!] = [NATURAL]): [Crew!]!
    ports(limit: Int, offset: Int, sort: PortSort): [Port!]!
  }
  input BoatOrder { field: BoatOrderField! direction: OrderDirection! }
  enum BoatOrderField { NAME CREATED_AT POPULARITY }
  enum OrderDirection { ASC DESC }
  type Boats { nodes: [Boat!]! pageInfo: PageInfo! }
  type Boat { id: ID! name: String! createdAt: Date! }
  enum CrewsOrderBy { NATURAL SIZE_ASC SIZE_DESC }
  type Crew { id: ID! size: Int! }
  input PortSort { depth: OrderDirection name: OrderDirection }
  type Port { id: ID! depth: Int! name: String! }
  scalar Date
  type PageInfo { hasNextPage: Boolean! endCursor: String }`;

interface Asked {
  readonly first?: number;
  readonly after?: string;
  readonly offset?: number;
  readonly orderBy?: { readonly field: string; readonly direction: string };
}

const COUNT = 300;
const day = (at: number) => new Date(Date.UTC(2020, 0, 1 + ((at * 7) % COUNT))).toISOString();
const boats = Array.from({ length: COUNT }, (_none, at) => ({
  id: `b${at}`,
  name: `boat ${at}`,
  createdAt: day(at).slice(0, 10),
}));
const crews = Array.from({ length: COUNT }, (_none, at) => ({
  id: `c${at}`,
  size: (at * 7) % COUNT,
}));

let served: ServedSchema;

beforeAll(async () => {
  const Query = {
    boats: (_: unknown, { first = 20, after = "0", orderBy }: Asked) => {
      const sign = orderBy?.direction === "DESC" ? -1 : 1;
      const key = orderBy?.field === "CREATED_AT" ? "createdAt" : "name";
      const all = boats.toSorted((a, b) => (a[key] < b[key] ? -sign : sign));
      const end = Number(after) + first;
      return {
        nodes: all.slice(Number(after), end),
        pageInfo: { hasNextPage: end < all.length, endCursor: String(end) },
      };
    },
    crews: (
      _: unknown,
      { first = 20, offset = 0, orderBy }: { first?: number; offset?: number; orderBy: string[] },
    ) => {
      const sign = orderBy[0] === "SIZE_DESC" ? -1 : orderBy[0] === "SIZE_ASC" ? 1 : 0;
      return crews.toSorted((a, b) => sign * (a.size - b.size)).slice(offset, offset + first);
    },
    ports: () => [],
  };
  served = await serveSchema(SCHEMA, { Query }, ["Boat", "Crew"]);
});
afterAll(() => served.close());

it("CAT-165 the first rows by a column are asked of a server that sorts by a word and a direction", async () => {
  const text = await served.run("Boat.sort(createdAt desc).limit(2)[createdAt]");
  expect(text).toContain("2020-10-26");
  expect(served.asked.map(({ variables }) => variables)).toEqual([
    { first: 50, orderBy: { field: "CREATED_AT", direction: "DESC" } },
  ]);
});

it("CAT-165 and of one that takes several words, each with its direction", async () => {
  expect(await served.run("Crew.sort(size asc).limit(2)[size]")).toContain("\n0\n1\n");
  expect(served.asked.map(({ variables }) => variables)).toEqual([
    { first: 50, orderBy: "SIZE_ASC" },
  ]);
});

it("CAT-165 without an order its own default holds, and a text is sorted here", async () => {
  await served.run("Boat.limit(1)");
  expect(served.asked.map(({ variables }) => variables)).toEqual([{ first: 50 }]);
  await served.run("Boat.sort(name desc).limit(1)");
  expect(served.asked.length).toBeGreaterThan(1);
});
