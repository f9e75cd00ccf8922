import { openCatalog } from "@plasm/core";
import { buildSchema, parse, validate } from "graphql";
import { expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { catalogFromGraphql } from "../catalog-from-graphql.ts";

/** A catalog of a schema whose operations the schema takes; the texts of its operations by name. */
async function madeOf(text: string) {
  const made = await catalogFromGraphql(text, { entryId: "shop", server: "https://x.example/g" });
  const files = {
    domain: { file: "domain.yaml", text: made.domain },
    mappings: { file: "mappings.yaml", text: made.mappings },
  };
  expect(openCatalog({ entryId: "shop", ...files }, { strict: true }).diagnostics).toEqual([]);
  const mappings = parseYaml(made.mappings) as Record<
    string,
    { body: { fields: [string, { value: string }][] }; pagination?: { params: object } }
  >;
  const operations = Object.fromEntries(
    Object.entries(mappings).map(([name, { body }]) => [name, body.fields[0]?.[1].value ?? ""]),
  );
  const schema = buildSchema(text);
  for (const operation of Object.values(operations))
    expect(validate(schema, parse(operation))).toEqual([]);
  const domain = parseYaml(made.domain) as {
    capabilities: Record<string, { parameters?: { name: string }[] }>;
    entities: Record<string, { fields: Record<string, { value_ref: string }> }>;
    values: Record<string, { type: string }>;
  };
  return { ...made, operations, mappings, domain };
}

const PAGE = "type PageInfo { hasNextPage: Boolean! endCursor: String }";

it("RUN-210 leaves out a page by another means beside a cursor: each request would skip by it once more", async () => {
  const { domain, mappings } = await madeOf(`
    type Query { orders(first: Int, offset: Int, page: Int, after: String, state: String): Orders! }
    type Orders { nodes: [Order!]! pageInfo: PageInfo! }
    type Order { id: ID! state: String }
    ${PAGE}`);
  expect(domain.capabilities["order_query"]?.parameters?.map(({ name }) => name)).toEqual([
    "state",
  ]);
  expect(Object.keys(mappings["order_query"]?.pagination?.params ?? {})).toEqual([
    "first",
    "after",
  ]);
});

it("RUN-210 pages by a counter where the answer has no cursor to go on by", async () => {
  const { mappings } = await madeOf(`
    type Query { orders(first: Int, offset: Int, after: String): [Order!]! }
    type Order { id: ID! state: String }`);
  expect(mappings["order_query"]?.pagination?.params).toMatchObject({ offset: { counter: 0 } });
});

it("RUN-210 asks for all values of an object in a row, and for objects and plain lists within", async () => {
  const values = Array.from({ length: 30 }, (_, at) => `v${at}: String`).join(" ");
  const { operations } = await madeOf(`
    type Query { orders: [Order!]! person(id: ID!): Person }
    type Order { id: ID! address: Address lines: [Line!]! }
    type Address { ${values} }
    type Line { title: String price: Money taxes: [Tax!]! buyer: Person seller: Seller notes(first: Int): [Note!]! }
    type Money { amount: Float currency: String }
    type Tax { id: ID! rate: Float }
    type Seller { id: ID! name: String }
    type Note { text: String }
    type Person { id: ID! name: String }`);
  const query = operations["order_query"] ?? "";
  expect(query.match(/\bv\d+\b/g)).toHaveLength(30);
  expect(query).toContain(
    "lines { title price { amount currency } taxes { id rate } buyer { id } seller { id name } }",
  );
});

it("RUN-210 shows a list in a row that no key finds, where nothing can cut it; another is said", async () => {
  const { operations, left } = await madeOf(`
    type Query { order(id: ID!): Order }
    type Order { id: ID! sales: [Sale!]! }
    type Sale { id: ID! taxes: [Tax!]! events(first: Int): [Event!]! }
    type Tax { id: ID! rate: Float }
    type Event { id: ID! at: String }`);
  expect(operations["sale_of_order"]).toContain("sales { id taxes { id rate } }");
  expect(left).toEqual(["Sale.events: rows of Sale cannot be asked for by their key"]);
});

it("says nothing of lists that are asked for with the one row that has them", async () => {
  const { operations, left } = await madeOf(`
    type Query { viewer: Person }
    type Person { id: ID! name: String orders(first: Int): [Order!]! }
    type Order { id: ID! }`);
  expect([Object.keys(operations), left]).toEqual([
    ["order_orders_of_viewer", "person_viewer"],
    [],
  ]);
});

it("says which values of a row its table has no room for", async () => {
  const values = Array.from({ length: 125 }, (_, at) => `v${at}: String`).join(" ");
  const { left } = await madeOf(`
    type Query { orders: [Order!]! }
    type Order { id: ID! ${values} }`);
  expect(left).toEqual([
    "Order: it has too many values, and these are not asked for: v119, v120, v121, v122, v123, v124",
  ]);
});

it.each([
  ["BigFloat", "number"],
  ["PositiveDecimal", "number"],
  ["UnsignedInt64", "integer"],
  ["GenericScalar", "json"],
  ["Cursor", "string"],
])("takes the scalar %s for what its name says: %s", async (scalar, type) => {
  const { domain } = await madeOf(`
    scalar ${scalar}
    type Query { orders: [Order!]! }
    type Order { id: ID! total: ${scalar} }`);
  const { value_ref: value } = domain.entities["Order"]?.fields["total"] ?? { value_ref: "" };
  expect(domain.values[value]?.type).toBe(type);
});

it("RUN-210 makes rows of a union of the values of its types, those that are alike under one name", async () => {
  const { operations, domain, left } = await madeOf(`
    type Query { search(query: String!, first: Int, after: String): Found! thing(id: ID!): Thing _entities(of: [ID!]!): [Thing]! }
    union Thing = Issue | Person | Repository
    type Found { edges: [Edge] pageInfo: PageInfo! }
    type Edge { node: Thing }
    type Issue { id: ID! title: String! state: IssueState! labels(first: Int): [Label!]! }
    type Person { id: ID! name: String login: String! things: [Thing!]! first: Thing }
    type Repository { id: ID! name: String! state: RepositoryState url: String! }
    type Label { id: ID! }
    enum IssueState { OPEN CLOSED }
    enum RepositoryState { LIVE ARCHIVED }
    ${PAGE}`);
  const rows =
    "__typename ... on Issue { id title state } ... on Person { id name login } ... on Repository { id Repository_name: name Repository_state: state url }";
  expect(operations["thing_search"]).toContain(`edges { node { ${rows} } }`);
  expect(operations["thing_get"]).toContain(rows);
  expect(domain.entities["Thing"]).toMatchObject({ id_field: "id" });
  expect(Object.keys(domain.entities["Thing"]?.fields ?? {}).toSorted()).toEqual([
    "Repository_name",
    "Repository_state",
    "id",
    "login",
    "name",
    "state",
    "title",
    "type",
    "url",
  ]);
  expect(left).toEqual([
    "Issue.labels: rows of Issue cannot be asked for by their key",
    "query _entities: it is for gateways",
  ]);
});

it("RUN-210 takes no key that rows of a union need not have", async () => {
  const { operations, domain } = await madeOf(`
    type Query { found: [Thing!]! }
    union Thing = Issue | Note
    type Issue { id: ID! title: String }
    type Note { id: Int! text: String }`);
  expect(domain.entities["Thing"]).toMatchObject({ fields: { Issue_id: {}, Note_id: {} } });
  expect(operations["thing_found"]).toContain(
    "... on Issue { Issue_id: id title } ... on Note { Note_id: id text }",
  );
});
