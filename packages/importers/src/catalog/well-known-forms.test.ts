import { describe, expect, it } from "vitest";
import { answering, integer, list, made, object, query, ref, text } from "../testing/made.ts";

const id = (name: string) => ({ name, in: "path", required: true, schema: text });
const long = { type: "string", maxLength: 5_000 };
const boat = object({ id: long, name: long });
const posting = (schema: unknown, answer: unknown, more: object = {}) => ({
  requestBody: { content: { "application/x-www-form-urlencoded": { schema } } },
  ...answering(answer),
  ...more,
});

describe("21 forms in which large APIs describe their rows", () => {
  it("a POST to a row that says it updates is an update of it; a variable called like the row is its id", async () => {
    const gone = { Boat: boat, deleted_Boat: object({ id: long, deleted: { type: "boolean" } }) };
    const { domain, diagnostics } = await made(
      {
        "/boats": {
          get: answering(object({ data: list(ref("Boat")), has_more: { type: "boolean" } })),
          post: posting(object({ name: text }), ref("Boat")),
        },
        "/boats/{boat}": {
          parameters: [id("boat")],
          get: answering({ anyOf: [ref("Boat"), ref("deleted_Boat")] }),
          post: posting(object({ name: text }), ref("Boat"), { summary: "Updates the boat." }),
        },
      },
      { components: { schemas: gone } },
    );
    expect(Object.keys(domain.entities)).toEqual(["Boat"]);
    expect(domain.entities["Boat"]).toMatchObject({
      id_field: "id",
      fields: { id: { value_ref: "text" }, name: { value_ref: "text" } },
    });
    expect(domain.capabilities).toMatchObject({
      boat_create: { kind: "create", provides: ["id", "name"] },
      boat_get: { kind: "get" },
      boat_update: { kind: "update", provides: ["id", "name"] },
    });
    expect(diagnostics).toEqual([]);
  });

  it("a list that is said to be one row is a list, where it takes pages and leads on to one of it", async () => {
    const pages = [query("page", integer), query("per_page", integer)];
    const row = { parameters: [id("id")], get: answering(ref("Boat")) };
    const schemas = { components: { schemas: { Boat: object({ id: text, name: text }) } } };
    const { mappings, domain } = await made(
      { "/boats": { get: answering(ref("Boat"), { parameters: pages }) }, "/boats/{id}": row },
      schemas,
    );
    expect(domain.capabilities["boat_query"]).toMatchObject({ kind: "query", entity: "Boat" });
    expect(mappings["boat_query"]).toMatchObject({
      response: "bare_list",
      pagination: { params: { page: { counter: 1 } } },
    });
    // Without a size, or where nothing says that there are several, the document is taken at its word.
    for (const paths of [
      { "/boat": { get: answering(ref("Boat"), { parameters: pages }) } },
      { "/boats": { get: answering(ref("Boat"), { parameters: [pages[0]] }) }, "/boats/{id}": row },
    ]) {
      const { domain: other } = await made(paths, schemas);
      const kinds = Object.values(other.capabilities).map(({ kind }) => kind);
      expect(kinds).not.toContain("query");
    }
  });

  it("a variable that takes an id or a key is the id of the row that has one", async () => {
    const { domain } = await made({
      "/boats/{boatIdOrName}": {
        parameters: [id("boatIdOrName")],
        get: answering(object({ id: text, name: text })),
      },
    });
    expect(Object.values(domain.entities)).toMatchObject([{ id_field: "id" }]);
  });

  it("rows whose name stands in an object about them are told apart by it", async () => {
    const schemas = {
      Boat: object({ metadata: object({ name: text }), spec: object({ a: text }) }),
    };
    const { domain, mappings, diagnostics } = await made(
      {
        "/boats": {
          get: answering(
            object({ items: list(ref("Boat")), metadata: object({ continue: text }) }),
            { parameters: [query("continue"), query("limit", integer)] },
          ),
          post: {
            requestBody: { content: { "application/json": { schema: ref("Boat") } } },
            ...answering(ref("Boat")),
          },
        },
        "/boats/{name}": { parameters: [id("name")], get: answering(ref("Boat")) },
      },
      { components: { schemas } },
    );
    expect(domain.entities["Boat"]).toMatchObject({
      id_field: "name",
      fields: { name: { path: ["metadata", "name"] } },
    });
    expect(domain.capabilities["boat_create"]?.["provides"]).toContain("name");
    expect(mappings["boat_query"]).toMatchObject({
      pagination: { params: { continue: { from_response: "metadata.continue" } } },
    });
    expect(diagnostics).toEqual([]);
  });

  it("an offset that is a token is not counted: it comes from the answer, or pages are not said", async () => {
    const offset = query("offset", text, { description: "Offset token of the next page" });
    const rows = (more: object) => ({
      get: answering(object({ data: list(object({ id: text })), ...more }), {
        parameters: [query("limit", integer), offset],
      }),
    });
    const { mappings } = await made({
      "/boats": rows({ next_page: object({ offset: text, uri: text }) }),
      "/masts": rows({}),
    });
    const [boats, masts] = Object.values(mappings);
    expect(boats).toMatchObject({
      pagination: { params: { offset: { from_response: "next_page.offset" } } },
    });
    expect(masts).toMatchObject({ pagination: { params: { limit: { size: {} } } } });
  });

  it("what one thing holds in its envelope is its own, however it is asked for", async () => {
    const tag = object({ id: text, followers: list(object({ id: text, name: text })) });
    const { domain } = await made({
      "/tags/{tag_id}": {
        parameters: [id("tag_id"), query("limit", integer), query("offset")],
        get: answering(object({ data: object({ gid: text, followers: list(tag) }) })),
      },
    });
    expect(Object.values(domain.capabilities)).toMatchObject([{ kind: "get" }]);
  });

  it("a row with more is a form of that row", async () => {
    const schemas = { BoatWithCrew: object({ id: text, crew: text }), Boat: object({ id: text }) };
    const { domain } = await made(
      {
        "/boats": { get: answering(list(ref("Boat"))) },
        "/boats/{id}": { parameters: [id("id")], get: answering(ref("BoatWithCrew")) },
      },
      { components: { schemas } },
    );
    expect(Object.keys(domain.entities)).toEqual(["Boat"]);
  });
});

it("21 paths that end in .json lead to each other as those without do", async () => {
  const message = object({ sid: text, body: text });
  const page = object({ messages: list(ref("Message")), next_page_uri: text, page: integer });
  const { domain, mappings, diagnostics } = await made(
    {
      "/Accounts/{Sid}.json": {
        parameters: [id("Sid")],
        get: answering(object({ sid: text, name: text })),
      },
      "/Accounts/{AccountSid}/Messages.json": {
        parameters: [id("AccountSid")],
        get: answering(page, { parameters: [query("Page", integer), query("PageSize", integer)] }),
        post: posting(object({ Body: text }), ref("Message")),
      },
      "/Accounts/{AccountSid}/Close.json": {
        parameters: [id("AccountSid")],
        post: posting(object({ Reason: text }), object({ ok: text })),
      },
      "/Accounts/{AccountSid}/Messages/{Sid}.json": {
        parameters: [id("AccountSid"), id("Sid")],
        get: answering(ref("Message")),
      },
    },
    { components: { schemas: { Message: message } } },
  );
  expect(Object.keys(domain.entities)).toEqual(["Account", "Message"]);
  expect(domain.capabilities).toMatchObject({
    message_query: { kind: "query" },
    message_create: { kind: "create", provides: expect.arrayContaining(["sid", "body"]) },
  });
  expect(domain.entities["Account"]?.["relations"]).toMatchObject({
    messages: { target: "Message" },
  });
  expect(mappings["message_query"]).toMatchObject({
    pagination: { response_next_url_field: "next_page_uri" },
  });
  expect(diagnostics).toEqual([]);
});
