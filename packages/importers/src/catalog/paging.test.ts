import { describe, expect, it } from "vitest";
import { answering, integer, list, made, object, query, text } from "../testing/made.ts";

const boat = object({ id: text, name: text });
const flag = { type: "boolean" };
const uri = { type: "string", format: "uri" };

/** The mapping of a list of boats that answers this and takes these parameters. */
async function listed(schema: object, parameters: readonly object[] = [], path = "/boats") {
  const { mappings, diagnostics, domain } = await made({
    [path]: { get: answering(schema, { parameters }) },
  });
  expect(diagnostics).toEqual([]);
  const [first] = Object.entries(mappings);
  const capability = domain.capabilities[first?.[0] ?? ""];
  return {
    mapping: first?.[1],
    kind: capability?.["kind"],
    slots: capability?.["parameters"] ?? [],
  };
}

const page = [query("page", integer)];

describe("the list in an answer", () => {
  it.each<[string, object, readonly object[], unknown]>([
    [
      "beside messages",
      object({ content: list(boat), messages: list(object({ code: text })) }),
      [],
      "content",
    ],
    [
      "by pages alone",
      object({ eligible: list(boat), hotel: object({ code: text }) }),
      page,
      "eligible",
    ],
    [
      "by a token alone",
      object({ eligible: list(boat), next_page_token: text, size: text }),
      [],
      "eligible",
    ],
    [
      "of anything, which is made a list of boats",
      {
        allOf: [
          object({ items: list({ type: "object", properties: {} }), limit: integer }),
          object({ items: list(boat) }),
        ],
      },
      [],
      "items",
    ],
    [
      "that the path names, of several",
      object({ boats: list(boat), owners: list(boat) }),
      [],
      "boats",
    ],
    ["called data, of several", object({ data: list(boat), sold: list(boat) }), [], "data"],
    ["in an envelope with a key of its own", object({ id: text, data: list(boat) }), page, "data"],
  ])("%s", async (_, schema, parameters, items) => {
    const { mapping, kind } = await listed(schema, parameters);
    expect([kind, mapping?.["response"]]).toEqual(["query", { items }]);
  });

  it.each<[string, object, readonly object[], string]>([
    ["a row that holds rows", object({ id: text, data: list(boat) }), [], "/boats/{id}"],
    ["a row that holds rows in pages", object({ id: text, data: list(boat) }), page, "/boats/{id}"],
    [
      "two lists of which none is named",
      object({ sold: list(boat), lost: list(boat) }),
      page,
      "/all",
    ],
  ])("not %s", async (_, schema, parameters, path) => {
    const { kind } = await listed(schema, parameters, path);
    expect(kind).not.toBe("query");
  });
});

it("a list whose rows may be there later is one all the same (202)", async () => {
  const json = (schema: object) => ({
    description: "",
    content: { "application/json": { schema } },
  });
  const get = answering(list(boat));
  const responses = { "200": json(list(boat)), "202": json(object({ job: text })) };
  const { mappings } = await made({ "/boats": { get: { ...get, responses } } });
  expect(Object.values(mappings)[0]?.["response"]).toBe("bare_list");
});

describe("how a list goes on", () => {
  const said = (description: string) => query("after", text, { description });
  const limit = query("limit", { type: "integer", default: 20 });
  const after = (name: string, more: object = {}) => ({
    params: { [name]: { from_last: "id" }, ...more },
  });

  it.each<[string, object, readonly object[], object]>([
    [
      "the last id, and a flag",
      object({ data: list(boat), has_more: flag }),
      [query("starting_after"), query("ending_before"), limit],
      {
        ...after("starting_after", { limit: { fixed: 20 } }),
        stop_when: { field: "has_more", eq: false },
      },
    ],
    ["the last id", list(boat), [query("since_id", integer)], after("since_id")],
    ["an id by its words", list(boat), [said("The ID of the last boat")], after("after")],
    [
      "a cursor of a bare list",
      list(boat),
      [said("An opaque cursor")],
      { location: "link_header", params: {} },
    ],
    [
      "page and offset typed as text",
      object({ items: list(boat) }),
      [query("limit", { type: "string", default: "50" }), query("offset")],
      { params: { offset: { counter: 0, assumed: "omit" }, limit: { fixed: 50, usual: 50 } } },
    ],
    [
      "a token under another name",
      object({ items: list(boat), next_page: text }),
      [query("page")],
      { params: { page: { from_response: "next_page" } } },
    ],
    [
      "members in brackets",
      object({ data: list(boat) }),
      [
        query("page", object({ number: integer, size: { type: "integer", default: 10 } }), {
          style: "deepObject",
        }),
      ],
      {
        params: {
          "page[number]": { counter: 1, assumed: "omit" },
          "page[size]": { fixed: 10, usual: 10 },
        },
      },
    ],
    [
      "a link in the body",
      object({ values: list(boat), nextPage: uri }),
      [query("since", integer)],
      { location: "response_next_url", response_next_url_field: "nextPage", params: {} },
    ],
    [
      "a text that nothing could take but an address",
      object({ results: list(boat), next: text, total: integer }),
      [],
      { location: "response_next_url", response_next_url_field: "next", params: {} },
    ],
    [
      "links beside the rows",
      object({ data: list(boat), links: object({ self: text, next: text }) }),
      page,
      { location: "response_next_url", response_next_url_field: "links.next", params: {} },
    ],
    [
      "links as objects",
      object({ items: list(boat), _links: object({ next: object({ href: text }) }) }),
      page,
      { location: "response_next_url", response_next_url_field: "_links.next.href", params: {} },
    ],
    [
      "an iterator, and a flag that ends it",
      object({ data: list(boat), iterator: text, prevIterator: text, done: flag }),
      [query("iterator"), limit],
      {
        params: { limit: { fixed: 20, usual: 20 }, iterator: { from_response: "iterator" } },
        stop_when: { field: "done", eq: true },
      },
    ],
    [
      "a pointer, and a flag that ends it",
      object({ spaces: list(boat), searchPointer: text, hasMore: flag }),
      [query("pagePointer")],
      {
        params: { pagePointer: { from_response: "searchPointer" } },
        stop_when: { field: "hasMore", eq: false },
      },
    ],
    [
      "a cursor that is a number",
      object({ data: list(boat), cursor: integer }),
      [query("cursor", integer)],
      { params: { cursor: { from_response: "cursor" } } },
    ],
    [
      "an id of pages, under one name",
      object({ feeds: list(boat), pagination_id: text }),
      [query("pagination_id")],
      { params: { pagination_id: { from_response: "pagination_id" } } },
    ],
    [
      "a cursor, beside a key to the API",
      object({ items: list(boat), pagination: object({ next: text }) }),
      [query("key"), query("page_cursor")],
      { params: { page_cursor: { from_response: "pagination.next" } } },
    ],
    [
      "a first row, and a number of rows",
      list(boat),
      [query("first", integer), query("max", integer)],
      { params: { first: { counter: 0, assumed: "omit" } } },
    ],
    [
      "the most rows of an answer",
      list(boat),
      [query("max", integer, { description: "Maximum number of results" })],
      { params: { max: { size: {} } } },
    ],
    [
      "an amount of entries",
      list(boat),
      [query("count", { ...integer, default: 10 }, { description: "Amount of entries to fetch" })],
      { params: { count: { size: { usual: 10 } } } },
    ],
    [
      "links in what is said about the rows",
      object({ result: list(boat), _metadata: object({ count: integer, next: uri }) }),
      [query("page_token")],
      { location: "response_next_url", response_next_url_field: "_metadata.next", params: {} },
    ],
  ])("%s", async (_, schema, parameters, pagination) => {
    const { mapping } = await listed(schema, parameters);
    expect(mapping?.["pagination"]).toEqual(pagination);
  });

  it("a token that only the text of the document places, where the list says none itself", async () => {
    const offset = query("offset", text, { description: "Offset token. Returned by the API." });
    const lists = (schema: object, description: string) =>
      made({
        "/boats": { get: answering(schema, { parameters: [offset, limit] }) },
        "/events": {
          get: answering(object({ data: list(boat) }), { description, parameters: [offset] }),
        },
      });
    const of = async (schema: object, description: string) =>
      Object.entries((await lists(schema, description)).mappings).map(
        ([, one]) => one["pagination"],
      );
    const rows = object({ data: list(boat) });
    const params = {
      limit: { fixed: 20, usual: 20 },
      offset: { from_response: "next_page.offset" },
    };
    expect(
      await of(rows, "Once it includes a `next_page` with an `offset`, ask again."),
    ).toContainEqual({ params });
    expect(await of(rows, "Send `next_page.offset` again.")).toContainEqual({ params });
    expect(await of(rows, "Send the offset of the answer before.")).not.toContainEqual({ params });
    // Two places are none, and an answer that says what it holds is taken at its word.
    expect(await of(rows, "`next_page.offset`, or `next.offset`")).not.toContainEqual({ params });
    expect(
      await of(object({ data: list(boat), total: integer }), "`next_page.offset`"),
    ).not.toContainEqual({ params });
  });

  it("what asks for a page is no argument beside an address or the last row", async () => {
    const { slots } = await listed(object({ values: list(boat), nextPage: uri }), [
      query("PageToken"),
    ]);
    expect(slots).toEqual([]);
    const two = await listed(list(boat), [query("starting_after"), query("ending_before")]);
    expect(two.slots).toEqual([]);
  });

  it.each<[string, object, readonly object[]]>([
    ["an order that is not said", list(boat), [query("since_id"), query("max_id")]],
    ["an id that rows do not have", list(object({ name: text })), [query("starting_after")]],
    ["a date", list(object({ name: text })), [said("Boats built after this date")]],
    [
      "the most of something else",
      list(boat),
      [query("max", integer, { description: "Maximum price" })],
    ],
    ["a first name", list(boat), [query("first")]],
    ["a token that no parameter takes", object({ items: list(boat), next_cursor: text }), []],
  ])("%s is not paging: it stays an argument", async (_, schema, parameters) => {
    const { mapping, slots } = await listed(schema, parameters);
    const held = mapping?.["pagination"] as { readonly location?: string } | undefined;
    expect(held?.location ?? "link_header").toBe("link_header");
    expect(slots).toHaveLength(parameters.length);
  });
});

it("OData's $top is not sent where the next page is a link: it is how many rows there are at most", async () => {
  const schema = object({ value: list(boat), "@odata.nextLink": text });
  const top = query("$top", { type: "integer", default: 20 });
  const { mapping } = await listed(schema, [top, query("$skip", integer)]);
  expect(mapping?.["pagination"]).toMatchObject({ location: "response_next_url", params: {} });
});

it("a list among the hits of a search engine is one", async () => {
  const hits = object({ total: object({ value: integer }), hits: list(boat) });
  const { mapping } = await listed(object({ took: integer, hits }), [query("from", integer)]);
  expect(mapping?.["response"]).toEqual({ items_path: ["hits", "hits"] });
});
