import { formatCatalogDiagnostic, openCatalog } from "@plasm/core";
import { buildSchema, introspectionFromSchema, parse, validate } from "graphql";
import { describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { catalogFromGraphql, isGraphql } from "../catalog-from-graphql.ts";
import type { FromOpenApiOptions } from "../catalog-from-open-api.ts";
import { OpenApiError } from "../open-api-error.ts";

const YARD = `
type Query {
  boat(id: ID!): Boat
  boats(filter: BoatFilter, orderBy: BoatOrder, first: Int = 20, after: String): BoatConnection!
  people(limit: Int, offset: Int, name: String): [Person!]!
  person(id: ID!): Person
  searchBoats(query: String!): [Boat!]!
  "Max 30 a page."
  visits(boatId: ID!, page: Int, perPage: Int): VisitPage
  viewer: Person
  version: String!
  stats: Stats
  anything(text: String!): [Anything!]!
  country(code: ID!): Country
  countries: [Country!]!
  removeOldBoats: [Boat!]!
}
type Mutation {
  createBoat(input: CreateBoatInput!): CreateBoatPayload
  "Gives a boat another name."
  updateBoat(id: ID!, name: String, state: State): Boat
  deleteBoat(id: ID!): Boolean!
  paintBoat(input: PaintInput!): PaintPayload
  logIn(name: String!, picture: Upload): String
  addVisit(boatId: ID!, day: Date!): Visit
  show(file: Upload!): Boolean
}
type Subscription { boatMoved: Boat }
enum State { MOORED OUT DRY }
input BoatFilter { state: State nameContains: String ownerId: ID and: [BoatFilter!] }
enum BoatOrder { NAME_ASC LENGTH_DESC }
input CreateBoatInput { name: String! state: State ownerId: ID dims: DimsInput clientMutationId: String }
input DimsInput { length: Float! width: Float }
input PaintInput { boatId: ID! colour: String! }
type PaintPayload { boat: Boat userErrors: [UserError!]! }
type UserError { field: [String!] message: String! }
type CreateBoatPayload { boat: Boat clientMutationId: String }
type BoatConnection { edges: [BoatEdge!]! pageInfo: PageInfo! totalCount: Int! }
type BoatEdge { node: Boat! cursor: String! }
type PageInfo { hasNextPage: Boolean! endCursor: String hasPreviousPage: Boolean! startCursor: String }
"A vessel in the register."
type Boat {
  id: ID! name: String! state: State owner: Person dims: Dims launched: DateTime note(format: String!): String
  crew(first: Int!, after: String): PersonConnection! visits: [Visit!]! flag: Country marks: [Mark!]! meta: JSON
  old: String @deprecated
}
type Mark { at: Int text: String }
type Dims { length: Float width: Float inner: Inner }
type Inner { rooms: Int }
type PersonConnection { nodes: [Person!]! pageInfo: PageInfo! }
type Person { id: ID! name: String! email: String boats(first: Int, after: String): BoatConnection }
type Visit { id: ID! day: Date boat: Boat! }
type VisitPage { items: [Visit!]! total: Int hasMore: Boolean }
type Stats { boats: Int people: Int }
type Country { code: ID! name: String }
union Anything = Boat | Person
scalar Date
scalar DateTime
scalar JSON
scalar Upload
`;

/** An API that finds every row by \`node\`, as relay has it, and pages by other words. */
const LIBRARY = `
interface Node { id: ID! }
type Query {
  node(id: ID!): Node
  nodes(ids: [ID!]!): [Node]!
  shelf(owner: String!, name: String!): Shelf
  shelves(page: PageInput, where: ShelfWhere): Shelves!
  works(pageToken: String, pageSize: Int): WorkList!
  creatures: [Creature!]!
}
input PageInput { skip: Int take: Int }
input ShelfWhere { name: String }
type Shelves { items: [Shelf!]! pageInfo: Around! }
type Around { hasMore: Boolean! total: Int }
type Shelf implements Node { id: ID! name: String! books(first: Int, after: String, last: Int, before: String): Books! }
type Books { edges: [BookEdge] pageInfo: PageInfo! }
type BookEdge { node: Book }
type Book implements Node { id: ID! title: String shelf: Shelf }
type PageInfo { hasNextPage: Boolean! endCursor: String }
type WorkList { works: [Work!]! nextPageToken: String }
type Work { id: Int! title: String }
interface Creature { id: ID! name: String }
type Dragon implements Creature { id: ID! name: String fire: Boolean }
schema { query: Query }
`;

type Tree = Readonly<Record<string, never>>;

interface Made {
  readonly domain: Readonly<
    Record<"entities" | "capabilities" | "values", Readonly<Record<string, Tree>>>
  >;
  readonly mappings: Readonly<Record<string, Tree>>;
  readonly texts: string;
  readonly left: readonly string[];
  readonly counts: readonly [number, number];
}

/** What a schema gives; it loads strictly, and each of its operations is one of the schema. */
async function madeOf(text: string, options: Partial<FromOpenApiOptions> = {}): Promise<Made> {
  const made = await catalogFromGraphql(text, {
    entryId: "yard",
    server: "https://api.example.com/v1/graphql",
    ...options,
  });
  const { diagnostics } = openCatalog(
    {
      entryId: "yard",
      domain: { file: "domain.yaml", text: made.domain },
      mappings: { file: "mappings.yaml", text: made.mappings },
    },
    { strict: true },
  );
  expect(diagnostics.map((one) => formatCatalogDiagnostic(one))).toEqual([]);
  const mappings = parseYaml(made.mappings) as Made["mappings"];
  return {
    domain: parseYaml(made.domain) as Made["domain"],
    mappings,
    texts: `${made.domain}${made.mappings}`,
    left: made.left,
    counts: [made.reached, made.operations],
  };
}

/** The text of a capability's operation. */
function operationOf({ mappings }: Made, name: string): string {
  const { body } = mappings[name] as unknown as {
    body: { fields: readonly (readonly [string, { value: string }])[] };
  };
  return body.fields.find(([key]) => key === "query")?.[1].value ?? "";
}

/** The parameters of a capability, those required with a mark. */
const slotsOf = ({ domain }: Made, name: string): readonly string[] =>
  (
    (domain.capabilities[name]?.["parameters"] ?? []) as readonly {
      name: string;
      value_ref?: string;
      required?: boolean;
    }[]
  ).map((one) => `${one.name}${one.required === true ? "!" : ""}: ${one.value_ref ?? "form"}`);

function refusedAsInvalid(made: Made, text: string): readonly string[] {
  const schema = buildSchema(text);
  return Object.keys(made.mappings).flatMap((name) =>
    validate(schema, parse(operationOf(made, name))).map(({ message }) => `${name}: ${message}`),
  );
}

const yard = await madeOf(YARD);
const library = await madeOf(LIBRARY);

describe("a GraphQL schema becomes a catalog (SURF-20)", () => {
  it("asks only what the schema has, and loads strictly", () => {
    expect(refusedAsInvalid(yard, YARD)).toEqual([]);
    expect(refusedAsInvalid(library, LIBRARY)).toEqual([]);
  });

  it("tells what is left out, and why", () => {
    expect(yard.left).toEqual([
      "mutation logIn: the file picture, which GraphQL has no form for",
      "mutation show: it needs the file file, which GraphQL has no form for",
      "subscription boatMoved: nothing is pushed to a program; it asks",
    ]);
    expect(yard.counts).toEqual([19, 21]);
  });

  it("is the same from an introspection result", async () => {
    const data = introspectionFromSchema(buildSchema(YARD));
    for (const result of [{ data }, data, { extensions: {}, data }]) {
      expect(isGraphql(JSON.stringify(result))).toBe(true);
      expect((await madeOf(JSON.stringify(result))).texts).toBe(yard.texts);
    }
  });

  it("has entities by the types whose rows have keys, with references by key and objects as JSON", () => {
    const { entities, values } = yard.domain;
    expect(Object.keys(entities)).toEqual([
      "Anything",
      "Api",
      "Boat",
      "Country",
      "Person",
      "Stats",
      "Visit",
    ]);
    expect(entities["Country"]).toMatchObject({ id_field: "code" });
    expect(entities["Boat"]).toMatchObject({ description: "a vessel in the register" });
    expect(entities["Boat"]?.["fields"]).toMatchObject({
      owner: { value_ref: "person", path: ["owner", "id"] },
      flag: { value_ref: "country", path: ["flag", "code"] },
      launched: { value_ref: "instant" },
      dims: { value_ref: "free" },
      state: { value_ref: "state" },
    });
    expect(values["state"]).toMatchObject({ allowed_values: ["MOORED", "OUT", "DRY"] });
    expect(operationOf(yard, "boat_get")).toBe(
      "query($id: ID!) { boat(id: $id) { id name state launched meta owner { id } flag { code } dims { length width inner { rooms } } marks { at text } } }",
    );
  });

  it("has lists with filters, orders and pages", () => {
    expect(slotsOf(yard, "boat_query")).toEqual([
      "state: state",
      "nameContains: text",
      "ownerId: person",
      "and: free",
      "orderBy: orderby",
    ]);
    expect(yard.mappings["boat_query"]).toMatchObject({
      path: [{ type: "literal", value: "graphql" }],
      response: { items_path: ["data", "boats", "edges"], item_inner_key: "node" },
      pagination: {
        body_merge_path: ["variables"],
        response_prefix: ["data", "boats", "pageInfo"],
        stop_when: { field: "hasNextPage", eq: false },
        params: { first: { fixed: 50 }, after: { from_response: "endCursor" } },
      },
    });
    expect(yard.mappings["person_query"]?.["pagination"]).toMatchObject({
      params: { offset: { counter: 0 }, limit: { fixed: 50 } },
    });
    expect(yard.mappings["visit_query"]?.["pagination"]).toMatchObject({
      response_prefix: ["data", "visits"],
      stop_when: { field: "hasMore", eq: false },
      params: { page: { counter: 1 }, perPage: { fixed: 50 } },
    });
    expect(yard.domain.capabilities["boat_search"]).toMatchObject({ kind: "search" });
    expect(library.mappings["shelf_query"]?.["pagination"]).toMatchObject({
      body_merge_path: ["variables", "page"],
      response_prefix: ["data", "shelves", "pageInfo"],
      params: { skip: { counter: 0 }, take: { fixed: 50 } },
    });
    expect(library.mappings["work_query"]?.["pagination"]).toMatchObject({
      response_prefix: ["data", "works"],
      params: { pageSize: { fixed: 50 }, pageToken: { from_response: "nextPageToken" } },
    });
  });

  it("has relations by lists that take the key, else by lists behind a row", () => {
    expect(yard.domain.entities["Person"]?.["relations"]).toMatchObject({
      boats: { target: "Boat", materialize: { capability: "boat_query", param: "ownerId" } },
    });
    expect(yard.domain.entities["Boat"]?.["relations"]).toMatchObject({
      crew: { target: "Person", materialize: { capability: "person_crew_of_boat", param: "boat" } },
      visits: { materialize: { capability: "visit_query", param: "boatId" } },
    });
    expect(operationOf(yard, "person_crew_of_boat")).toBe(
      "query($parent: ID!, $first: Int!, $after: String) { boat(id: $parent) { crew(first: $first, after: $after) { nodes { id name email } pageInfo { endCursor hasNextPage } } } }",
    );
  });

  it("finds rows by node where nothing else does", () => {
    expect(operationOf(library, "book_get")).toBe(
      "query($id: ID!) { node(id: $id) { ... on Book { id title shelf { id } } } }",
    );
    expect(slotsOf(library, "shelf_by_owner_name")).toEqual(["owner!: text", "name!: text"]);
    expect(library.domain.entities["Shelf"]?.["relations"]).toMatchObject({
      books: { target: "Book" },
    });
    expect(operationOf(library, "creature_query")).toContain("creatures { id name __typename }");
  });

  it("has mutations as effects, on the row whose key they take", () => {
    const { capabilities } = yard.domain;
    expect(capabilities["boat_create"]).toMatchObject({ kind: "create", entity: "Boat" });
    expect(slotsOf(yard, "boat_create")).toEqual([
      "name!: text",
      "state: state",
      "ownerId: person",
      "dims: form",
    ]);
    expect(yard.mappings["boat_create"]?.["response"]).toMatchObject({
      items_path: ["data", "createBoat", "boat"],
    });
    expect(capabilities["boat_update"]).toMatchObject({
      kind: "update",
      description: "gives a boat another name",
    });
    expect(capabilities["boat_delete"]).toMatchObject({ kind: "delete" });
    expect(slotsOf(yard, "boat_delete")).toEqual([]);
    expect([capabilities["boat_paint"]?.["kind"], slotsOf(yard, "boat_paint")]).toEqual([
      "action",
      ["colour!: text"],
    ]);
    expect(JSON.stringify(yard.mappings["boat_paint"]?.["response"])).toContain("userErrors");
    expect(slotsOf(yard, "visit_create")).toEqual(["boatId!: boat", "day!: day"]);
    expect(slotsOf(yard, "api_log_in")).toEqual(["name!: text"]);
  });

  it("asks for lists in a row that no key leads to, and for no row that has nothing", async () => {
    const made = await madeOf(`
      type Query { me: Viewer  admin: Admin  search(text: String!): Found }
      type Viewer { name: String  orders(first: Int, after: String): Orders }
      type Orders { nodes: [Order!]! pageInfo: Info! }
      type Info { endCursor: String hasNextPage: Boolean! }
      type Order { id: ID! total: Decimal }
      type Admin { users: [User!]!  user(id: ID!): User }
      type User { id: ID! }
      type Found { users: [User!]!  orders(first: Int): [Order!]! }
      scalar Decimal
    `);
    expect(Object.keys(made.mappings)).toEqual([
      "order_orders_of_me",
      "order_orders_of_search",
      "user_users_of_admin",
      "user_users_of_search",
      "viewer_me",
    ]);
    expect(operationOf(made, "order_orders_of_me")).toBe(
      "query($first: Int, $after: String) { me { orders(first: $first, after: $after) { nodes { id total } pageInfo { endCursor hasNextPage } } } }",
    );
    expect(slotsOf(made, "user_users_of_search")).toEqual(["text!: text"]);
    expect(made.left).toEqual(["Admin: not asked for, since they take arguments: user"]);
    expect(made.counts).toEqual([3, 3]);
    expect(made.domain.values["number"]).toBeDefined();
  });

  it("takes no value for a key that only chooses a row, and says what a list has unasked", async () => {
    const made = await madeOf(`
      type Query {
        latestOrder(state: State!): Order
        newestOrder(name: String!): Order
        orderByName(name: String!): Order
        orders(state: State = OPEN): [Order!]!
        user(login: String!): User
      }
      enum State { OPEN CLOSED }
      type Order { id: ID! name: String! state: State! }
      type User { id: ID! login: String! }
    `);
    expect(made.domain.entities["Order"]).toMatchObject({ id_field: "name" });
    expect(made.domain.entities["User"]).toMatchObject({ id_field: "login" });
    expect(slotsOf(made, "order_latest")).toEqual(["state!: state"]);
    expect(made.texts).toContain("else OPEN");
  });

  it("sends a condition on a column by the equality of its filter", async () => {
    const made = await madeOf(`
      type Query { users(where: Filter, cursor: Place, limit: Int, offset: Int): [User!]! }
      input Filter { _and: [Filter!] name: Compare age: Range id: ID }
      input Compare { _eq: String _ilike: String }
      input Range { _gt: Int }
      input Place { id: ID }
      type User { id: ID! name: String age: Int }
    `);
    expect(slotsOf(made, "user_query")).toEqual([
      "and: free",
      "name: text",
      "age: free",
      "where_id: text",
      "cursor_id: text",
    ]);
    expect(made.texts).toMatch(/_eq, \{ ?type: var, name: name ?\}/);
  });

  it("makes a part of it, named by fields or types", async () => {
    const part = await madeOf(YARD, { only: ["countr", "Visit"] });
    expect(Object.keys(part.domain.capabilities)).toEqual([
      "country_query",
      "country_get",
      "visit_query",
      "visit_create",
    ]);
    await expect(madeOf(YARD, { only: ["ship"] })).rejects.toThrow(
      "Nothing of ship of the GraphQL schema can be in a catalog. Its queries are anything, boat,",
    );
  });

  it("names no address of its own", async () => {
    const { domain } = await catalogFromGraphql(LIBRARY, { entryId: "yard" });
    expect(domain).toContain("http_backend: https://your-api.example\n");
  });
});

describe("what is no schema is told", () => {
  it.each([
    ["type Query { boat: Boat }", 'Unknown type: "Boat"'],
    ["type Query {\n  boat Boat\n}", "2:8: Syntax Error"],
    ['{"data": {"__schema": {"types"', "The introspection result is not JSON"],
    ['{"data": null, "errors": [{"message": "off"}], "__schema": 1}', "has no __schema: off"],
    [`type Query { a: ${"[".repeat(20_000)}Int${"]".repeat(20_000)} }`, "nested without end"],
    ["type Boat { id: ID }", "It has no queries."],
  ])("%.40s", async (text, said) => {
    const failure = catalogFromGraphql(text, { entryId: "yard" });
    await expect(failure).rejects.toThrow(OpenApiError);
    await expect(failure).rejects.toThrow(said);
  });

  it("reads parts of federated schemas, and tells faults", async () => {
    const part = `extend schema @link(url: "x")\nextend type Query { boats: [Boat] }\ntype Boat @key(fields: "id") { id: ID! }\ntype Boat2 { __bad: Int }`;
    const made = await catalogFromGraphql(part, { entryId: "yard" });
    expect(made.reached).toBe(1);
    expect(made.left.join()).toContain('the schema: Name "__bad" must not begin with "__"');
  });

  it.each([
    ["openapi: 3.1.0\npaths:\n  /type:\n    get: {}\n", false],
    ['{"openapi": "3.0.0", "x": {"__schema": 1}}', false],
    ["<html>type Query {</html>", false],
    ["# a schema\ntype Query {\n  a: Int\n}", true],
    ['"""\nWords.\n"""\ndirective @x on FIELD\ninterface Node { id: ID! }', true],
    ['schema @link(url: "x") {\n  query: Q\n}', true],
    ["type: object\nproperties: {}", false],
  ])("%j is a schema: %s", (text, is) => {
    expect(isGraphql(text)).toBe(is);
  });
});

it("takes time in proportion to the schema", async () => {
  const schemaOf = (count: number): string =>
    `type Query {\n${Array.from({ length: count }, (_, at) => `thing${at}(id: ID!): Thing${at}\nthing${at}s(first: Int, after: String): Thing${at}s`).join("\n")}\n}
type PageInfo { hasNextPage: Boolean! endCursor: String }
${Array.from({ length: count }, (_, at) => `type Thing${at} { id: ID! name: String next: Thing${(at + 1) % count} others(first: Int, after: String): Thing${(at + 2) % count}s }\ntype Thing${at}s { nodes: [Thing${at}] pageInfo: PageInfo! }`).join("\n")}`;
  const cost = async (count: number): Promise<number> => {
    const text = schemaOf(count);
    const before = process.cpuUsage();
    const made = await catalogFromGraphql(text, { entryId: "yard" });
    const { user, system } = process.cpuUsage(before);
    expect([made.reached, made.left]).toEqual([count * 2, []]);
    return user + system;
  };
  await cost(50);
  // What else the machine does only adds to a try, so the least of some counts, of both in turn.
  let [small, large] = [Infinity, Infinity];
  for (let tries = 0; tries < 1 || (tries < 8 && large / small >= 12); tries++) {
    small = Math.min(small, await cost(50));
    large = Math.min(large, await cost(200));
  }
  expect(large / small).toBeLessThan(12);
});
