import { describe, expect, it } from "vitest";
import { answering, integer, list, made, object, query, taking, text } from "../testing/made.ts";

const boat = object({ id: text, name: text });
const boats = { "/boats": { get: answering(list(boat)) }, "/boats/{id}": { get: answering(boat) } };

describe("writes are what methods and paths say", () => {
  it.each<[string, string, string, object]>([
    ["post", "/boats", "boat_create", { kind: "create" }],
    ["patch", "/boats/{id}", "boat_update", { kind: "update" }],
    ["put", "/boats/{id}", "boat_update", { kind: "update" }],
    ["delete", "/boats/{id}", "boat_delete", { kind: "delete" }],
    ["post", "/boats/{id}/ping", "boat_ping", { kind: "action" }],
    ["delete", "/boats/{id}/flags/{flag}", "boat_delete_flags", { kind: "action" }],
    ["post", "/boats/sort", "boat_sort", { kind: "action" }],
  ])("%s %s is %s", async (method, path, name, expected) => {
    const operation = { summary: "Do it", responses: { "204": { description: "" } } };
    const own = Object.entries(boats).find(([one]) => one === path)?.[1];
    const { domain, diagnostics } = await made({
      ...boats,
      [path]: { ...own, [method]: operation },
    });
    expect(diagnostics).toEqual([]);
    expect(domain.capabilities[name]).toMatchObject({
      ...expected,
      entity: "Boat",
      description: "do it",
      output: { type: "side_effect", description: "do it" },
    });
  });

  it("of PATCH and PUT the former is the update", async () => {
    const { domain, mappings } = await made({
      ...boats,
      "/boats/{id}": { get: answering(boat), put: taking(boat), patch: taking(boat) },
    });
    expect(Object.keys(domain.capabilities)).toContain("boat_replace");
    expect(mappings["boat_update"]?.["method"]).toBe("PATCH");
  });

  it("bodies are arguments: required, of their types, objects within too; what is read only is none", async () => {
    const body = object(
      {
        name: text,
        length: { type: "number" },
        made: { type: "string", readOnly: true },
        engine: object({ power: integer, fuel: text }, ["power"]),
        "call-sign": text,
      },
      ["name"],
    );
    const { domain, mappings, diagnostics } = await made({
      ...boats,
      "/boats": {
        get: answering(list(boat)),
        post: {
          ...answering(boat),
          requestBody: { required: true, content: { "application/json": { schema: body } } },
        },
      },
    });
    expect(diagnostics).toEqual([]);
    expect(domain.capabilities["boat_create"]).toMatchObject({
      parameters: [
        { name: "call_sign", value_ref: "text" },
        {
          name: "engine",
          input_type: {
            type: "object",
            fields: [
              { name: "fuel", value_ref: "text" },
              { name: "power", value_ref: "integer", required: true },
            ],
          },
        },
        { name: "length", value_ref: "number" },
        { name: "name", value_ref: "text", required: true },
      ],
      provides: ["id", "name"],
    });
    expect(mappings["boat_create"]).toMatchObject({
      body: { fields: expect.arrayContaining([["call-sign", { type: "var", name: "call_sign" }]]) },
      response: "single",
    });
  });

  it("a body of no certain form is one argument; a form is sent as one", async () => {
    const form = {
      content: { "application/x-www-form-urlencoded": { schema: object({ to: text }) } },
    };
    const { domain, mappings, diagnostics } = await made({
      ...boats,
      "/boats/{id}/tags": { put: taking(list(text)) },
      "/boats/{id}/mail": { post: { requestBody: form, responses: {} } },
    });
    expect(diagnostics).toEqual([]);
    expect(domain.capabilities["boat_set_tags"]).toMatchObject({
      parameters: [{ name: "input", value_ref: "free", required: true }],
    });
    expect(mappings["boat_set_tags"]?.["body"]).toEqual({ type: "var", name: "input" });
    expect(mappings["boat_mail"]).toMatchObject({ body_format: "form_urlencoded" });
  });

  it("a header for keys of effects is used as one", async () => {
    const parameters = [{ name: "Idempotency-Key", in: "header", schema: text }];
    const { mappings } = await made({
      ...boats,
      "/boats/{id}/ping": { post: { parameters, responses: {} } },
    });
    expect(mappings["boat_ping"]?.["idempotency"]).toEqual({ header: "Idempotency-Key" });
  });
});

describe("parameters of lists", () => {
  it("have types, roles, and lists as the API writes them", async () => {
    const parameters = [
      query("state", { type: "string", enum: ["moored", "lost"] }),
      query("sort"),
      query("order", { type: "string", enum: ["asc", "desc"] }),
      query("tags", list(text)),
      query("ids", list(integer), { explode: false }),
      query("near", text, { required: true, description: "Where it lies. Or lay." }),
      { name: "X-Tenant", in: "header", required: true, schema: text },
      { name: "X-Other", in: "header", schema: text },
    ];
    const { domain, mappings, diagnostics } = await made({
      ...boats,
      "/boats": { get: answering(list(boat), { parameters }) },
    });
    expect(diagnostics).toEqual([]);
    expect(domain.capabilities["boat_query"]?.["parameters"]).toEqual([
      { name: "ids", value_ref: "integer_list" },
      { name: "near", value_ref: "text", required: true, description: "where it lies" },
      { name: "order", value_ref: "order", role: "sort_direction" },
      { name: "sort", value_ref: "text", role: "sort" },
      { name: "state", value_ref: "state" },
      { name: "tags", value_ref: "text_list" },
      { name: "X_Other", value_ref: "text", role: "response_control" },
      { name: "X_Tenant", value_ref: "text", required: true, role: "response_control" },
    ]);
    expect(mappings["boat_query"]).toMatchObject({
      query: {
        fields: expect.arrayContaining([
          ["ids", { type: "join", sep: ",", expr: { type: "var", name: "ids" } }],
        ]),
      },
      headers: {
        fields: [
          ["X-Other", { type: "var", name: "X_Other" }],
          ["X-Tenant", { type: "var", name: "X_Tenant" }],
        ],
      },
    });
  });

  it("words that a list needs make it a search", async () => {
    const parameters = [query("q", text, { required: true })];
    const { domain } = await made({
      "/boats/{id}": { get: answering(boat) },
      "/search/boats": {
        get: answering(object({ items: list(boat), total: integer }), { parameters }),
      },
    });
    expect(domain.capabilities).toHaveProperty("boat_search.parameters.0.role", "search");
  });
});

const count = (name: string, more: object = {}) => query(name, { ...integer, ...more });
const cursor = { type: "object", properties: { items: list(boat), next_cursor: text } };
const django = object({
  count: integer,
  next: { type: "string", format: "uri" },
  results: list(boat),
});

describe("pages, where they can be recognised", () => {
  it.each<[string, object[], object, object, unknown]>([
    [
      "number",
      [count("page"), count("per_page", { maximum: 50 })],
      list(boat),
      {},
      { params: { page: { counter: 1, assumed: "omit" }, per_page: { fixed: 50 } } },
    ],
    [
      "number from 0",
      [count("page", { default: 0 }), count("size", { default: 20 })],
      list(boat),
      {},
      { params: { page: { counter: 0 }, size: { fixed: 20, usual: 20 } } },
    ],
    [
      "offset",
      [count("offset"), count("limit", { maximum: 1000 })],
      list(boat),
      {},
      { params: { offset: { counter: 0, assumed: "omit" }, limit: { fixed: 100 } } },
    ],
    [
      "offset of unknown size",
      [count("offset"), count("limit")],
      list(boat),
      {},
      { params: { offset: { counter: 0, assumed: "omit" } } },
    ],
    [
      "cursor",
      [query("cursor"), count("limit", { default: 10 })],
      cursor,
      {},
      { params: { limit: { fixed: 10, usual: 10 }, cursor: { from_response: "next_cursor" } } },
    ],
    [
      "next address",
      [count("page")],
      django,
      {},
      { location: "response_next_url", response_next_url_field: "next", params: {} },
    ],
    [
      "Link header",
      [count("page"), count("per_page", { maximum: 100 })],
      list(boat),
      { Link: { schema: text } },
      { location: "link_header", params: { per_page: { fixed: 100 } } },
    ],
    [
      "a limit alone are none, but their number is known",
      [count("limit", { default: 20, maximum: 100 })],
      list(boat),
      {},
      { params: { limit: { size: { usual: 20, most: 100 } } } },
    ],
    [
      "a limit that is a value of the rows are none",
      [count("limit")],
      list(object({ id: text, limit: integer })),
      {},
      undefined,
    ],
    ["a count that may be anything are none", [count("count")], list(boat), {}, undefined],
  ])("by %s", async (_says, parameters, schema, headers, pagination) => {
    const responses = {
      "200": { description: "", headers, content: { "application/json": { schema } } },
    };
    const { mappings, diagnostics } = await made({
      ...boats,
      "/boats": { get: { parameters, responses } },
    });
    expect([mappings["boat_query"]?.["pagination"], diagnostics]).toEqual([pagination, []]);
  });
});

it("slashes stand where the document has them (MAP-010)", async () => {
  const { mappings, diagnostics } = await made({ "/v1//boats/": { get: answering(list(boat)) } });
  const values = ["v1", "", "boats", ""];
  expect(diagnostics).toEqual([]);
  expect(mappings["boat_query"]?.["path"]).toEqual(
    values.map((value) => ({ type: "literal", value })),
  );
});

describe("rows stand in an answer where that is certain", () => {
  it.each<[object, unknown]>([
    [list(boat), "bare_list"],
    [object({ items: list(boat), total: integer }), { items: "items" }],
    [object({ boats: list(boat), tide: object({ high: integer }) }), { items: "boats" }],
    [object({ data: object({ items: list(boat) }) }), { items_path: ["data", "items"] }],
  ])("%j", async (schema, response) => {
    const { mappings } = await made({ ...boats, "/boats": { get: answering(schema) } });
    expect(mappings["boat_query"]?.["response"]).toEqual(response);
  });

  it("a row in an envelope is unwrapped", async () => {
    const { mappings, domain } = await made({
      "/boats/{id}": { get: answering(object({ data: boat, meta: object({}) })) },
    });
    expect(mappings["boat_get"]?.["response"]).toEqual({ single: true, items_path: ["data"] });
    expect(Object.keys(domain.entities["Boat"]?.fields ?? {})).toEqual(["id", "name"]);
  });
});

describe("what a catalog cannot say is left out, and why", () => {
  const of = (operation: object, path = "/boats/{id}/it", method = "post") => ({
    ...boats,
    [path]: { [method]: operation },
  });
  it.each<[string, object]>([
    [
      "POST /boats/{id}/it: its body says no parts",
      of({
        requestBody: { required: true, content: { "multipart/form-data": { schema: {} } } },
        responses: {},
      }),
    ],
    [
      "POST /boats/{id}/it: it needs the parameter where, which takes a list of objects, and the document does not say how a query writes one",
      of({ parameters: [query("where", list(boat), { required: true })], responses: {} }),
    ],
    [
      "GET /it: it answers text/html",
      of({ responses: { 200: { description: "", content: { "text/html": {} } } } }, "/it", "get"),
    ],
    ["GET /a{b: its path has a{b, where braces do not pair", of(answering(boat), "/a{b", "get")],
  ])("%s", async (line, paths) => {
    const { left, diagnostics } = await made(paths, { components: { schemas: { Boat: boat } } });
    expect([left, diagnostics]).toEqual([[line], []]);
  });

  it("parts of what is there, too", async () => {
    const parameters = [{ name: "lang", in: "cookie", schema: text }, query("where", list(boat))];
    const operation = {
      ...answering(boat, { parameters, callbacks: { done: {} } }),
      requestBody: { content: { "application/yaml": {} } },
    };
    const paths = { ...boats, "/boats/{id}/it": { post: operation, head: { responses: {} } } };
    const { left, diagnostics, domain } = await made(paths, { webhooks: { sunk: {} } });
    expect(diagnostics).toEqual([]);
    expect(domain.capabilities).toHaveProperty("boat_it");
    expect(left).toEqual([
      "the webhook sunk: nothing is called by it",
      "HEAD /boats/{id}/it: it gives no rows and changes nothing",
      "POST /boats/{id}/it: the body of application/yaml, which may be left out",
      "POST /boats/{id}/it: the callback done",
      "POST /boats/{id}/it: the cookie lang, which may be left out",
      "POST /boats/{id}/it: the parameter where: it takes a list of objects, and the document does not say how a query writes one",
    ]);
  });
});

describe("what the document does not say is JSON, not left out", () => {
  const jsonOf = (schema: unknown, status = 200) => ({
    [status]: { description: "", content: { "application/json": { schema } } },
  });
  const answer = { value_ref: "free", path: [] };

  it.each<[string, object]>([
    ["bytes", { responses: { 200: { description: "", content: { "image/png": {} } } } }],
    ["one of several forms", answering({ oneOf: [boat, object({ a: text })] })],
    [
      "other things by status",
      { responses: { ...jsonOf(boat), ...jsonOf(object({ job: text }), 203) } },
    ],
    ["nothing that is told", { responses: { 204: { description: "" } } }],
  ])("a read that answers %s", async (_what, operation) => {
    const { left, diagnostics, domain, mappings } = await made({ "/it": { get: operation } });
    expect([left, diagnostics]).toEqual([[], []]);
    expect(domain.entities["It"]?.fields).toEqual({ answer });
    expect(domain.capabilities["it_get"]).toMatchObject({ kind: "singleton", entity: "It" });
    expect(mappings["it_get"]?.["response"]).toEqual({ single: true, wrap_root_scalar: true });
  });

  it("a list of what has no properties has rows of JSON", async () => {
    const paths = { "/words": { get: answering({ type: "array", items: text }) } };
    const { diagnostics, domain } = await made(paths);
    expect(diagnostics).toEqual([]);
    expect(domain.entities["Word"]?.fields).toEqual({ answer });
    expect(domain.capabilities["word_query"]).toMatchObject({ kind: "query" });
  });

  it("effects on what is not read: by the key in their path, else by what they are about", async () => {
    const paths = {
      "/elsewhere/{id}": { delete: { responses: {} } },
      "/v1/mail/send": { post: answering(object({ ticket: text })) },
    };
    const { diagnostics, domain, left } = await made(paths);
    expect([left, diagnostics]).toEqual([[], []]);
    expect(domain.capabilities).toMatchObject({
      elsewhere_delete: { kind: "delete", entity: "Elsewhere" },
      mail_send: { kind: "action", entity: "Mail", output: { type: "custom" } },
    });
  });

  it("what an effect answers is its rows: its own, those of another entity, or of none", async () => {
    const crew = object({ id: text, name: text });
    const paths = {
      ...boats,
      "/crews/{id}": { get: answering({ $ref: "#/components/schemas/Crew" }) },
      "/boats/{id}/sail": { post: answering({ $ref: "#/components/schemas/Crew" }) },
      "/boats/{id}/ping": { post: answering(object({ heard: { type: "boolean" } })) },
    };
    const schemas = { Boat: boat, Crew: crew };
    const { diagnostics, domain } = await made(paths, { components: { schemas } });
    expect(diagnostics).toEqual([]);
    expect(domain.capabilities["boat_sail"]?.["output"]).toEqual({
      type: "entity",
      entity_type: "Crew",
    });
    expect(domain.capabilities["boat_ping"]?.["output"]).toMatchObject({ type: "custom" });
  });

  it("a GET that says that it changes something is an effect (CAT-081)", async () => {
    const reset = { ...answering(object({ ok: text })), summary: "Deletes all rows of the boat" };
    const { diagnostics, domain } = await made({ ...boats, "/boats/{id}/wipe": { get: reset } });
    expect(diagnostics).toEqual([]);
    expect(domain.capabilities["boat_wipe"] ?? domain.capabilities["boat_get_wipe"]).toMatchObject({
      kind: "action",
    });
  });

  it("so is one that is named by what it does, with or without a word about it", async () => {
    const asked = (summary?: string) => ({
      get: {
        ...answering(object({ ok: text })),
        ...(summary === undefined ? {} : { summary }),
        parameters: [{ name: "padID", in: "query", required: true, schema: text }],
      },
    });
    const { domain } = await made({
      "/getText": asked("returns the text of a pad"),
      "/deletePad": asked("deletes a pad"),
      "/restoreRevision": asked(),
      "/cancelReasons": asked("cancel reasons"),
      "/revoke": asked("revoke connection"),
      "/jobs/kill": asked("kill execution of a job"),
      "/logout": asked("Returns true if it was done"),
    });
    const kinds = Object.values(domain.capabilities).map(
      ({ kind, entity }) => `${String(entity)} ${String(kind)}`,
    );
    expect(kinds.toSorted()).toEqual([
      "CancelReason singleton",
      "DeletePad action",
      "GetText singleton",
      "Kill action",
      "Logout action",
      "RestoreRevision action",
      "Revoke action",
    ]);
  });

  it("where paths are calls, words that may be nouns are verbs, too", async () => {
    const call = { get: answering(object({ ok: text })) };
    const names = [
      "movePad",
      "getPad",
      "listPads",
      "createPad",
      "checkPad",
      "countPads",
      "copyPad",
    ];
    const { domain } = await made(Object.fromEntries(names.map((name) => [`/${name}`, call])));
    const effects = Object.values(domain.capabilities).filter(({ kind }) => kind === "action");
    expect(effects.map(({ entity }) => String(entity)).toSorted()).toEqual([
      "CopyPad",
      "CreatePad",
      "MovePad",
    ]);
    const { domain: nouns } = await made({ "/moveList": call, "/pads": call, "/copyRights": call });
    expect(Object.values(nouns.capabilities).filter(({ kind }) => kind === "action")).toEqual([]);
  });

  it("what is deprecated is there, and says so", async () => {
    const paths = { ...boats, "/boats/{id}/it": { post: { deprecated: true, responses: {} } } };
    const { domain } = await made(paths);
    expect(domain.capabilities["boat_it"]?.["description"]).toMatch(/^deprecated/);
  });

  it("members of a form may be lists and objects, written as the document says", async () => {
    const schema = object({
      name: text,
      where: object({ a: text }),
      items: list(object({ price: text })),
      tags: list(text),
      expand: list(text),
      ids: list(integer),
    });
    const encoding = {
      expand: { style: "deepObject", explode: true },
      ids: { style: "form", explode: false },
    };
    const content = { "application/x-www-form-urlencoded": { schema, encoding } };
    const paths = {
      ...boats,
      "/boats/{id}/it": { post: { requestBody: { content }, responses: {} } },
    };
    const { left, diagnostics, mappings, domain } = await made(paths);
    expect([left, diagnostics]).toEqual([[], []]);
    const said = (name: string) => [name, { type: "var", name }];
    expect(mappings["boat_it"]).toMatchObject({
      body_format: "form_urlencoded",
      body: {
        fields: [
          ["expand[]", { type: "var", name: "expand" }],
          ["ids", { type: "join", sep: ",", expr: { type: "var", name: "ids" } }],
          ...["items", "name", "tags", "where"].map(said),
        ],
      },
    });
    expect(domain.capabilities["boat_it"]).toMatchObject({
      parameters: expect.arrayContaining([
        {
          name: "where",
          input_type: { type: "object", fields: [{ name: "a", value_ref: "text" }] },
        },
      ]),
    });
  });
});
