import { describe, expect, it } from "vitest";
import { answering, list, made, object, query, integer, text } from "../testing/made.ts";

const row = object({ id: text, name: text });
const item = { "/boats/{id}": { get: answering(row) } };
const body = (schema: object, required = true) => ({
  requestBody: { required, content: { "application/json": { schema } } },
});
const filters = object({ name: text, length: integer });

interface Asked {
  readonly operationId?: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
}

const kindOf = async (path: string, more: Asked & object = {}, answer: object = list(row)) => {
  const { domain, mappings, diagnostics } = await made({
    ...item,
    [path]: { post: answering(answer, { ...body(filters), ...more }) },
  });
  const posts = Object.entries(mappings).filter(([, { method }]) => method === "POST");
  expect([posts.length, diagnostics]).toEqual([1, []]);
  return domain.capabilities[posts[0]?.[0] ?? ""]?.["kind"];
};

describe("21 a POST that searches a list is a read (MAP-018)", () => {
  it.each<[string, Asked?]>([
    ["/boats/search"],
    ["/boats/_search"],
    ["/boats/query", { operationId: "Boats_Query", tags: ["Boats"] }],
    ["/boats/list"],
    ["/boats.list"],
    ["/boats:search"],
    ["/boats/list.json"],
    ["/boats/find", { operationId: "findBoats" }],
    ["/boats/find-by-name", { summary: "Find boats by name" }],
    ["/boats/findByName", { operationId: "findBoatsByName" }],
    ["/boats/bulk-lookup", { operationId: "bulkLookupBoats" }],
    ["/boats/advanced-search", { operationId: "postBoatsAdvancedSearch" }],
    ["/search/boats", { operationId: "searchBoats", tags: ["Search"] }],
    ["/boats/by-owner", { operationId: "listBoatsByOwner" }],
    ["/orders/search", { operationId: "searchOrders", summary: "Search for orders" }],
    ["/boats/query", { summary: "submit a query for boats" }],
    ["/boats/query", { operationId: "postQuery", summary: "Execute an ad-hoc query (complex)" }],
    ["/databases/{id}/query", { operationId: "queryADatabase", summary: "Query a database" }],
  ])("%s %j", async (path, more) => {
    expect(await kindOf(path, more)).toMatch(/^(?:query|search)$/);
  });

  it.each<[string, (Asked & Readonly<Record<string, unknown>>)?]>([
    ["/search/index"],
    ["/query/execute", { operationId: "executeQuery" }],
    ["/lists"],
    ["/searches"],
    ["/queries", { operationId: "createQuery" }],
    ["/search", { operationId: "createSearch" }],
    ["/boats/list", { operationId: "addBoatToList" }],
    ["/boats/find-and-delete"],
    ["/boats/find_or_create"],
    ["/boats/findAndTag", { operationId: "findAndTagBoats" }],
    ["/boats/search-and-replace"],
    ["/boats/saved-search"],
    ["/boats/price-list"],
    ["/boats/whitelist"],
    ["/mailing-list"],
    ["/boats/search", { summary: "Saves a search" }],
    ["/boats/search", { summary: "Searches for boats and removes them." }],
    ["/search/reindex", { operationId: "reindexSearch" }],
    ["/grocerylist/department", { operationId: "GroceryList_Department", tags: ["GroceryList"] }],
    ["/list-members", { operationId: "joinList" }],
    ["/boats/count/reset"],
    ["/boats"],
    ["/boats/search", { parameters: [{ name: "Idempotency-Key", in: "header", schema: text }] }],
    [
      "/boats/search",
      {
        responses: {
          "201": { description: "", content: { "application/json": { schema: list(row) } } },
        },
      },
    ],
  ])("not %s %j", async (path, more) => {
    expect(await kindOf(path, more)).toMatch(/^(?:action|create|update)$/);
  });

  it("not where it answers no list", async () => {
    expect(await kindOf("/boats/search", {}, object({ id: text, status: text }))).toBe("action");
  });

  it("its body's members are its parameters, sorting and words to search among them", async () => {
    const wanted = object(
      { query: text, sort: text, filter: object({ state: text }), tags: list(text) },
      ["query"],
    );
    const { domain, mappings, diagnostics } = await made({
      ...item,
      "/boats/search": { post: answering(object({ boats: list(row) }), body(wanted)) },
    });
    expect(diagnostics).toEqual([]);
    const [name = ""] = Object.keys(mappings).filter((one) => mappings[one]?.["method"] === "POST");
    expect(domain.capabilities[name]).toMatchObject({ kind: "search", entity: "Boat" });
    expect(domain.capabilities[name]?.["parameters"]).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: "query", required: true, role: "search" }),
        expect.objectContaining({ name: "sort", role: "sort" }),
        expect.objectContaining({ name: "filter" }),
        expect.objectContaining({ name: "tags" }),
      ]),
    );
    expect(mappings[name]).toMatchObject({
      response: { items: "boats" },
      body: {
        type: "object",
        fields: expect.arrayContaining([["query", { type: "var", name: "query" }]]),
      },
    });
  });

  it.each<[string, object, object, object, readonly string[]]>([
    [
      "a cursor",
      object({ name: text, cursor: text, limit: { ...integer, maximum: 500 } }),
      object({ boats: list(row), next_cursor: text }),
      {
        location: "body",
        params: { limit: { fixed: 100 }, cursor: { from_response: "next_cursor" } },
      },
      ["name"],
    ],
    [
      "the last id",
      object({ starting_after: text }),
      object({ data: list(row), has_more: { type: "boolean" } }),
      {
        location: "body",
        params: { starting_after: { from_last: "id" } },
        stop_when: { field: "has_more", eq: false },
      },
      [],
    ],
    [
      "pages, with a size that the API demands",
      object({ page: integer, limit: integer }, ["limit"]),
      object({ boats: list(row), total: integer }),
      { location: "body", params: { page: { counter: 1, assumed: "omit" } } },
      ["limit"],
    ],
    [
      "a member for pages",
      object({
        name: text,
        pagination: object({ offset: integer, limit: { ...integer, default: 20 } }),
      }),
      object({ boats: list(row), total: integer }),
      {
        location: "body",
        body_merge_path: ["pagination"],
        params: { offset: { counter: 0, assumed: "omit" }, limit: { fixed: 20, usual: 20 } },
      },
      ["name"],
    ],
  ])("goes on in its body by %s (MAP-042)", async (_by, asked, answered, pagination, names) => {
    const { domain, mappings, diagnostics } = await made({
      ...item,
      "/boats/search": { post: answering(answered, body(asked)) },
    });
    expect(diagnostics).toEqual([]);
    const [name = ""] = Object.keys(mappings).filter((one) => mappings[one]?.["method"] === "POST");
    expect(mappings[name]?.["pagination"]).toEqual(pagination);
    const parameters = (domain.capabilities[name]?.["parameters"] ?? []) as { name: string }[];
    expect(parameters.map((one) => one.name)).toEqual(names);
  });

  it("goes on in its query where that has the pages, and never by an address", async () => {
    const paged = answering(object({ boats: list(row), next: { type: "string", format: "uri" } }), {
      ...body(filters),
      parameters: [query("page", integer)],
    });
    const { mappings } = await made({ ...item, "/boats/search": { post: paged } });
    const [mapping] = Object.values(mappings).filter(({ method }) => method === "POST");
    expect(mapping?.["pagination"]).toBeUndefined();
  });
});

describe("rows that a list leaves out by a default of the API", () => {
  const issue = object({
    id: text,
    title: text,
    state: { enum: ["open", "closed"] },
    archived: { type: "boolean" },
    kind: text,
  });
  const listed = async (...parameters: readonly object[]) => {
    const { domain, mappings, left, diagnostics } = await made({
      "/issues": { get: answering(list(issue), { parameters }) },
      "/issues/{id}": { get: answering(issue) },
    });
    expect([left, diagnostics]).toEqual([[], []]);
    return { query: domain.capabilities["issue_query"], mapping: mappings["issue_query"] };
  };

  it("all are asked for where the API has a word for that", async () => {
    const state = { enum: ["open", "closed", "all"], default: "open" };
    const { query: asked, mapping } = await listed(query("state", state));
    expect(asked?.["parameters"]).toMatchObject([{ name: "state", description: "else all" }]);
    expect(asked?.["lists_only"]).toBeUndefined();
    expect(mapping?.["query"]).toEqual({
      type: "object",
      fields: [
        [
          "state",
          {
            type: "if",
            condition: { type: "exists", var: "state" },
            then_expr: { type: "var", name: "state" },
            else_expr: { type: "const", value: "all" },
          },
        ],
      ],
    });
  });

  it("so they are where the document says no default, and where the parameter is called like no column", async () => {
    const { mapping } = await listed(
      query("state", { enum: ["open", "closed", "all"] }),
      query("scope", { enum: ["mine", "all"], default: "mine" }),
      query("about", { enum: ["boats", "all"] }),
    );
    const asked = mapping?.["query"] as
      | { readonly fields: readonly [string, object][] }
      | undefined;
    expect(asked?.fields.map(([name, one]) => [name, JSON.stringify(one).includes("all")])).toEqual(
      [
        ["about", false],
        ["scope", true],
        ["state", true],
      ],
    );
  });

  it("else the list says which rows it gives, so that no condition is tested on these alone", async () => {
    const { query: asked, mapping } = await listed(
      query("state", { enum: ["open", "closed"], default: "open" }),
      query("archived", { type: "boolean", default: false, description: "By default false" }),
      query("kind", { type: "string", default: "bug" }),
    );
    expect(asked?.["lists_only"]).toEqual({ archived: false, kind: "bug", state: "open" });
    expect(asked?.["parameters"]).toMatchObject([
      { name: "archived", description: "by default false" },
      { name: "kind", description: "else bug" },
      { name: "state", description: "else open" },
    ]);
    expect(JSON.stringify(mapping)).not.toContain("exists");
  });

  it("a default that hides nothing, is no value of the column, or stands beside no column, is none", async () => {
    const { query: asked } = await listed(
      query("state", { enum: ["open", "closed", "all"], default: "all" }),
      query("archived", { type: "string", default: "exclude" }),
      query("scope", { enum: ["mine", "others"], default: "mine" }),
      query("wide", { type: "boolean", default: false }),
    );
    expect(asked?.["lists_only"]).toBeUndefined();
    expect(asked?.["parameters"]).toMatchObject([
      { name: "archived" },
      { name: "scope", description: "else mine" },
      { name: "state" },
      { name: "wide" },
    ]);
  });
});
