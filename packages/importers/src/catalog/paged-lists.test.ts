import { describe, expect, it } from "vitest";
import { answering, integer, list, made, object, query, text } from "../testing/made.ts";

const boat = object({ id: text, name: text });
const anything = list({});
const pages = [query("page", integer), query("limit", integer)];
const total = { total: integer };

/** The mapping and the kind of what a document says of one path. */
async function read(schema: object, path = "/boats", more: object = {}, parameters = pages) {
  const { mappings, diagnostics, domain } = await made({
    [path]: { get: answering(schema, { parameters, ...more }) },
  });
  expect(diagnostics).toEqual([]);
  const [[name, mapping] = []] = Object.entries(mappings);
  const { kind, entity, parameters: slots = [] } = domain.capabilities[name ?? ""] ?? {};
  const { fields } = domain.entities[String(entity)] ?? { fields: {} };
  return { mapping, kind, fields: Object.keys(fields), slots };
}

const at = (path: readonly string[]): object =>
  path.length === 1 ? { items: path[0] } : { items_path: path };

describe("CAT-161 the list of an answer that comes in pages", () => {
  it.each<[string, object, readonly string[], string?]>([
    [
      "in an object of its own",
      object({ boats: object({ items: list(boat), ...total }) }),
      ["boats", "items"],
      "/new",
    ],
    [
      "in the object of several that is called as lists are",
      object({
        filters: object({ filter: list(boat) }),
        results: object({ boat: list(boat) }),
      }),
      ["results", "boat"],
      "/new",
    ],
    [
      "two objects down",
      object({
        message: object({
          header: object({ code: integer }),
          body: object({ boat_list: list(boat) }),
        }),
      }),
      ["message", "body", "boat_list"],
      "/boat.search",
    ],
    [
      "in an object whose name begins with a capital",
      object({ Results: object({ Message: text, Boats: list(boat), QueryID: text }) }),
      ["Results", "Boats"],
      "/query",
    ],
    [
      "that some word of the path names, of several",
      object({ boats: list(boat), related: list(boat), count: integer }),
      ["boats"],
      "/boats/new",
    ],
    [
      "of messages, where there is no other",
      object({ messages: list(boat), links: list(object({ href: text })) }),
      ["messages"],
      "/voice/all",
    ],
    [
      "beside members of the call",
      object({ boats: list(boat), metadata: list(object({ key: text })) }),
      ["boats"],
      "/status",
    ],
    [
      "of a thing with an id that says whether there is more",
      object({ id: text, has_next: { type: "boolean" }, boats: list(boat) }),
      ["boats"],
      "/best",
    ],
  ])("%s", async (_, schema, path, place) => {
    const { mapping, kind, slots } = await read(schema, place);
    expect([kind, mapping?.["response"]]).toEqual(["query", at(path)]);
    expect(mapping?.["pagination"]).toMatchObject({ params: { page: { counter: 1 } } });
    expect(slots).toEqual([]);
  });

  it.each<[string, object, readonly string[], string?]>([
    ["of anything", object({ meta: object(total), results: anything }), ["results"]],
    ["of texts", object({ boats: list(text), ...total }), ["boats"]],
    ["of lists", object({ boats: list(list(text)), ...total, snapshotId: text }), ["boats"]],
    [
      "of anything, in an object of its own",
      object({ result: object({ hits: anything, ...total }) }),
      ["result", "hits"],
    ],
    ["of texts, of one thing", object({ boats: list(text), ...total }), ["boats"], "/owners/{id}"],
  ])("%s: a row is JSON as a whole", async (_, schema, path, place) => {
    const parameters = [
      ...pages,
      ...(place === undefined ? [] : [{ ...query("id"), in: "path", required: true }]),
    ];
    const { mapping, kind, fields } = await read(schema, place, {}, parameters);
    expect([kind, mapping?.["response"]]).toEqual(["query", at(path)]);
    expect(mapping?.["pagination"]).toMatchObject({ params: { page: { counter: 1 } } });
    expect(fields).toContain("answer");
  });

  it.each<[string, object, string?]>([
    [
      "several lists, none of which is called so",
      object({ owners: list(boat), crews: list(boat) }),
      "/search",
    ],
    [
      "several objects with lists",
      object({ owners: object({ items: list(boat) }), crews: object({ items: list(boat) }) }),
      "/search",
    ],
    [
      "a list deep in a thing",
      object({ fileId: text, name: text, scan: object({ found: list(boat), status: text }) }),
      "/file",
    ],
    ["texts of a thing", object({ id: text, name: text, tags: list(text) }), "/boat"],
    ["several lists of texts", object({ hosts: list(text), ports: list(integer) }), "/content"],
  ])("%s: one row", async (_, schema, path) => {
    const { kind, slots } = await read(schema, path);
    expect(kind).toBe("singleton");
    expect(slots).toHaveLength(2);
  });

  it("nothing asks for pages: one row, as before", async () => {
    const { kind } = await read(
      object({ meta: object(total), results: anything }),
      "/boats",
      {},
      [],
    );
    expect(kind).toBe("singleton");
  });

  it("a time from which rows are is no page", async () => {
    const day = { type: "string", format: "date-time" };
    const { kind } = await read(object({ result: object({ hits: anything }) }), "/boats", {}, [
      query("start", day),
    ]);
    expect(kind).toBe("singleton");
  });

  it.each<[string, string, object]>([
    ["the end of its path", "/boats", {}],
    ["what it is said to do", "/mine", { summary: "Returns a list of boats" }],
  ])(
    "a thing with an id is a list, where it takes pages of a size and %s says so",
    async (_, path, more) => {
      const { mapping, kind } = await read(boat, path, more);
      expect([kind, mapping?.["response"]]).toEqual(["query", "bare_list"]);
    },
  );
});

describe("CAT-162 a number that counts pages or rows", () => {
  const counting = async (name: string, description: string, schema: object = integer) => {
    const { mapping } = await read(object({ items: list(boat) }), "/boats", {}, [
      query(name, schema, { description }),
    ]);
    const { params = {} } = (mapping?.["pagination"] ?? {}) as { params?: Record<string, unknown> };
    return params[name] ?? {};
  };

  it.each<[string, string, object]>([
    ["p", "the number of the result page you'd like to have", { counter: 1 }],
    ["pg", "page (int, starting from 1)", { counter: 1 }],
    ["pageNum", "Zero-based page number to retrieve.", { counter: 0 }],
    ["index", "Page index", { counter: 1 }],
    ["pageStart", "The start page of the results to return, from 0. Zero-based.", { counter: 0 }],
    ["searchCriteria[currentPage]", "Current page.", { counter: 1 }],
    ["options.skip", "The number of records to skip. Default is 0", { counter: 0 }],
    ["firstRow", "Optional: first row to fetch. Default 0 = first row.", { counter: 0 }],
  ])("%s, %s", async (name, description, counter) => {
    expect(await counting(name, description)).toMatchObject(counter);
  });

  it.each<[string, string, object?]>([
    ["pages", "The number of pages to give"],
    ["size", "Rows per page number"],
    ["name", "The page number where its name is", integer],
    ["p", "The page number", text],
    ["filter[from]", "Only those from here on"],
    ["width", "How wide the page is"],
  ])("%s, %s: none", async (name, description, schema) => {
    expect(await counting(name, description, schema)).not.toHaveProperty("counter");
  });
});
