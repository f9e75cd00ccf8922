import { afterAll, beforeAll, expect, it } from "vitest";
import { type ServedSchema, serveSchema } from "./served-schema.ts";

/** Lists of which a schema says how many rows may be asked for, and nothing of pages. */
const SCHEMA = `
  type Tin { id: ID! }
  type Cup { id: ID! }
  type Pot { id: ID! }
  type Jar { id: ID! }
  type Mug { id: ID! }
  type Jars { nodes: [Jar!]! totalCount: Int! }
  type Query {
    tins(first: Int = 20): [Tin!]!
    cups("At most 50" first: Int = 20): [Cup!]!
    pots(first: Int): [Pot!]!
    jars(limit: Int = 10): Jars!
    mugs(first: Int!): [Mug!]!
  }`;

const rows = (length: number) => Array.from({ length }, (_none, at) => ({ id: `r${at}` }));
type Asked = { readonly first?: number; readonly limit?: number };

let served: ServedSchema;

beforeAll(async () => {
  const lists = {
    tins: (_: unknown, { first = 20 }: Asked) => rows(57).slice(0, first),
    cups: (_: unknown, { first = 20 }: Asked) => rows(57).slice(0, Math.min(first, 50)),
    pots: (_: unknown, { first = 25 }: Asked) => {
      if (first > 30) throw new Error("first may be 30 at most");
      return rows(57).slice(0, first);
    },
    jars: (_: unknown, { limit = 10 }: Asked) => ({
      nodes: rows(57).slice(0, limit),
      totalCount: 57,
    }),
    mugs: (_: unknown, { first = 10 }: Asked) => rows(57).slice(0, first),
  };
  served = await serveSchema(SCHEMA, { Query: lists }, ["Tin", "Cup", "Pot", "Jar", "Mug"]);
});
afterAll(() => served.close());

it.each([
  ["Tin", 57, 2],
  ["Jar", 57, 2],
  ["Tin{first=19}", 19, 1],
])("RUN-201: all rows of %s are read", async (list, length, requests) => {
  const text = await served.run(`${list}.aggregate(n=count)`);
  expect(text).toContain(`\nn\n${length}\n`);
  expect(text).not.toContain("partial");
  expect(served.asked).toHaveLength(requests);
});

it.each([
  ["Cup", "50 rows came where 50 were asked for (first)"],
  ["Pot", "first may be 30 at most"],
  ["Mug{first=50}", "50 rows came, as many as were asked for"],
])("RUN-003, RUN-201: that rows of %s may be missing is told", async (list, says) => {
  const text = await served.run(`${list}.aggregate(n=count)`);
  expect(text).toContain("partial (rows_unread)");
  expect(text).toContain(says);
  expect(text.split(says)).toHaveLength(2);
});
