import { describe, expect, it } from "vitest";
import { answering, integer, list, made, object, query, taking, text } from "../testing/made.ts";

const boat = object({ id: text, name: text });
const boats = { "/boats": { get: answering(list(boat)) }, "/boats/{id}": { get: answering(boat) } };

describe("parameters that are more than a text", () => {
  const asked = async (parameters: readonly object[]) => {
    const paths = { ...boats, "/boats": { get: answering(list(boat), { parameters }) } };
    const { left, diagnostics, mappings, domain } = await made(paths);
    expect([left, diagnostics]).toEqual([[], []]);
    return {
      mapping: mappings["boat_query"],
      names: domain.capabilities["boat_query"]?.["parameters"],
    };
  };

  it("objects in a query are their members", async () => {
    const filter = object({ state: text, near: object({ lat: text }) });
    const { mapping } = await asked([
      query("filter", filter, { style: "deepObject", explode: true }),
      query("expand", list(text), { style: "deepObject", explode: true }),
      query("range", object({ from: text, to: text })),
      query("created", { anyOf: [integer, object({ gte: integer })] }, { style: "deepObject" }),
      { name: "where", in: "query", content: { "application/json": { schema: list(boat) } } },
    ]);
    expect(mapping?.["query"]).toEqual({
      type: "object",
      fields: [
        ["created", "created"],
        ["created[gte]", "created_gte"],
        ["expand[]", "expand"],
        ["filter[near][lat]", "filter_near_lat"],
        ["filter[state]", "state"],
        ["from", "from"],
        ["to", "to"],
        ["where", "where"],
      ].map(([key, name]) => [key, { type: "var", name }]),
    });
  });

  it("a list of objects and an object of any members, which the document says to write in brackets (MAP-013)", async () => {
    const line = object({ price: text, count: integer }, ["price"]);
    const deep = { style: "deepObject", explode: true };
    const { mapping, names } = await asked([
      query("lines", list(line), deep),
      query("metadata", { type: "object", additionalProperties: text }, deep),
      query("near", object({ points: list(line), lat: text }), deep),
    ]);
    expect(mapping).toMatchObject({
      query: {
        fields: [
          ["lines", { type: "var", name: "lines" }],
          ["metadata", { type: "var", name: "metadata" }],
          ["near[lat]", { type: "var", name: "near_lat" }],
          ["near[points]", { type: "var", name: "near_points" }],
        ],
      },
      query_brackets: ["lines", "metadata", "near[points]"],
    });
    const form = {
      type: "array",
      element_type: {
        type: "object",
        fields: [
          { name: "count", value_ref: "integer" },
          { name: "price", value_ref: "text", required: true },
        ],
      },
    };
    expect(names).toEqual([
      { name: "lines", input_type: form },
      { name: "metadata", value_ref: "free" },
      { name: "near_lat", value_ref: "text" },
      { name: "near_points", input_type: form },
    ]);
  });

  it("objects whose form the document does not say are left out, and it is said why", async () => {
    const line = object({ price: text });
    const parameters = [
      query("lines", list(line)),
      query("metadata", { type: "object", additionalProperties: text }),
      query("near", object({ points: list(line), lat: text })),
      query("size", object({ wide: text }), { explode: false }),
    ];
    const paths = { ...boats, "/boats": { get: answering(list(boat), { parameters }) } };
    const { left, diagnostics, mappings } = await made(paths);
    expect(diagnostics).toEqual([]);
    expect(mappings["boat_query"]?.["query"]).toMatchObject({ fields: [["lat", {}]] });
    expect(left).toEqual([
      "GET /boats: the parameter lines: it takes a list of objects, and the document does not say how a query writes one",
      "GET /boats: the parameter metadata: it takes an object whose members the document does not name, nor how a query writes them",
      "GET /boats: the parameter points: it takes a list of objects, and the document does not say how a query writes one",
      "GET /boats: the parameter size: it takes an object in a form that no mapping has",
    ]);
  });

  it("a page of an object in the query is asked for by its members", async () => {
    const page = object({ offset: integer, limit: { type: "integer", maximum: 100 } });
    const { mapping, names } = await asked([query("page", page, { style: "deepObject" })]);
    expect(names).toBeUndefined();
    expect(mapping?.["pagination"]).toMatchObject({
      params: { "page[offset]": { counter: 0 }, "page[limit]": { fixed: 100 } },
    });
  });

  it("headers and cookies; a version is sent as the document has it", async () => {
    const { mapping, names } = await asked([
      { name: "Api-Version", in: "header", schema: { type: "string", default: "2022-06-28" } },
      { name: "X-Codes", in: "header", schema: list(text) },
      { name: "X-Request-Id", in: "header", schema: text },
      { name: "If-None-Match", in: "header", schema: text },
      { name: "sid", in: "cookie", required: true, schema: text },
    ]);
    expect(mapping?.["headers"]).toEqual({
      type: "object",
      fields: [
        ["Api-Version", { type: "const", value: "2022-06-28" }],
        ["X-Codes", { type: "join", sep: ",", expr: { type: "var", name: "X_Codes" } }],
        [
          "Cookie",
          { type: "format", template: "sid={c0}", vars: { c0: { type: "var", name: "sid" } } },
        ],
      ],
    });
    expect(names).toEqual([
      { name: "X_Codes", value_ref: "text_list", role: "response_control" },
      { name: "sid", value_ref: "text", required: true, role: "response_control" },
    ]);
  });

  it("what a read demands with one value only is no argument; what an effect demands is said by who wants it", async () => {
    const parameters = [
      query("full", { type: "boolean", enum: [true] }, { required: true }),
      query("part", { const: "rows" }, { required: true }),
      query("wide", { type: "boolean", enum: [true] }),
    ];
    const { mapping, names } = await asked(parameters);
    expect(mapping?.["query"]).toEqual({
      type: "object",
      fields: [
        ["full", { type: "const", value: true }],
        ["part", { type: "const", value: "rows" }],
        ["wide", { type: "var", name: "wide" }],
      ],
    });
    expect(names).toEqual([{ name: "wide", value_ref: "flag" }]);
    const { domain } = await made({
      ...boats,
      "/boats/{id}": {
        ...boats["/boats/{id}"],
        delete: {
          parameters: [query("sure", { enum: ["yes"] }, { required: true })],
          responses: { "204": { description: "" } },
        },
      },
    });
    expect(domain.capabilities["boat_delete"]?.["parameters"]).toMatchObject([
      { name: "sure", required: true },
    ]);
  });

  it("several variables in a segment, and the form that is answered", async () => {
    const format = {
      name: "format",
      in: "path",
      required: true,
      schema: { enum: ["xml", "json"] },
    };
    const path = "/a/{one}.{two}/photo{n}.{format}";
    const { mappings, diagnostics } = await made({
      [path]: { get: answering(list(boat), { parameters: [format] }) },
    });
    expect(diagnostics).toEqual([]);
    expect(Object.values(mappings)[0]?.["path"]).toEqual([
      { type: "literal", value: "a" },
      { type: "var", name: "one", suffix: "." },
      { type: "var", name: "two", joined: true },
      { type: "literal", value: "photo" },
      { type: "var", name: "n", suffix: ".json", joined: true },
    ]);
  });

  it("an address of its own: credentials go there only within one site", async () => {
    const at = (url: string, more: object = {}) => ({
      ...answering(list(boat)),
      servers: [{ url, ...more }],
    });
    const { mappings, domain, left, diagnostics } = await made({
      ...boats,
      "/a": { get: at("https://files.example.com/v1/") },
      "/b": { get: at("https://other.example/") },
      "/c": { get: at("/v2") },
      "/d": { get: at("https://{host}/v3", { variables: { host: { default: "host.example" } } }) },
      "/e": { get: at("http://other.example/") },
      "/f": { get: at("https://api.example.com") },
    });
    expect(diagnostics).toEqual([]);
    expect(left).toEqual(["GET /e: its server is http://other.example, which is not https"]);
    expect(domain["allow_origins"]).toEqual([
      { origin: "https://files.example.com", send_auth: true },
      { origin: "https://other.example" },
    ]);
    const paths = Object.values(mappings).map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining(
        [
          "https://files.example.com/v1/a",
          "https://other.example/b",
          "https://api.example.com/v2/c",
          "https://api.example.com/v3/d",
          "f",
        ].map((value) => [{ type: "literal", value }]),
      ),
    );
  });
});

it("a list of objects in a form has its members in brackets, however lists of texts are written (MAP-015)", async () => {
  const body = object({ items: list(object({ price: text })), expand: list(text) });
  const encoding = { style: "deepObject", explode: true };
  const { mappings } = await made({
    ...boats,
    "/boats": {
      ...boats["/boats"],
      post: {
        requestBody: {
          content: {
            "application/x-www-form-urlencoded": {
              schema: body,
              encoding: { items: encoding, expand: encoding },
            },
          },
        },
        ...answering(boat),
      },
    },
  });
  expect(mappings["boat_create"]?.["body"]).toEqual({
    type: "object",
    fields: [
      ["expand[]", { type: "var", name: "expand" }],
      ["items", { type: "var", name: "items" }],
    ],
  });
});

it("a member that a body must have is demanded, also where the document does not say that there must be a body", async () => {
  const body = { ...object({ name: text, note: text }), required: ["name"] };
  const { domain } = await made({
    ...boats,
    "/boats": {
      ...boats["/boats"],
      post: {
        requestBody: { content: { "application/json": { schema: body } } },
        ...answering(boat),
      },
    },
  });
  expect(domain.capabilities["boat_create"]?.["parameters"]).toEqual([
    { name: "name", value_ref: "text", required: true },
    { name: "note", value_ref: "prose" },
  ]);
});

it("a body that need not be there is left out whole, though each of its members is demanded", async () => {
  const effect = (properties: object, names: readonly string[]) => ({
    put: {
      requestBody: {
        required: false,
        content: { "application/json": { schema: object(properties, names) } },
      },
      responses: { "204": { description: "" } },
    },
  });
  const { domain, mappings, diagnostics } = await made({
    ...boats,
    "/boats/{id}/lock": effect({ from: text, until: text }, ["from", "until"]),
    "/boats/{id}/paint": effect({ colour: text }, ["colour"]),
    "/boats/{id}/move": effect({ to: text, speed: text }, ["to"]),
  });
  expect(diagnostics).toEqual([]);
  const { boat_set_lock: lock, boat_set_paint: paint, boat_set_move: move } = domain.capabilities;
  expect(lock).toMatchObject({
    parameters: [{ name: "from" }, { name: "until" }],
    input_schema: {
      validation: { cross_field_rules: [{ rule_type: "all_or_none", fields: ["from", "until"] }] },
    },
  });
  expect(JSON.stringify([lock, paint])).not.toContain("required");
  expect(paint?.["input_schema"]).toBeUndefined();
  expect(mappings["boat_set_lock"]?.["body"]).toMatchObject({
    type: "if",
    condition: { type: "exists", var: "from" },
    then_expr: { type: "object" },
    else_expr: { type: "const", value: null },
  });
  // Where some members may be left out, one that may not says that there is a body.
  expect(move?.["parameters"]).toMatchObject([{ name: "speed" }, { name: "to", required: true }]);
});

it("what one part calls read-only is no argument, though another says more of it", async () => {
  const base = object({ id: { type: "string", readOnly: true }, owner: object({ name: text }) });
  const own = object({ owner: { type: "object", readOnly: true }, id: text, name: text });
  const { domain } = await made({
    ...boats,
    "/boats": {
      ...boats["/boats"],
      post: {
        requestBody: {
          required: true,
          content: { "application/json": { schema: { ...own, allOf: [base] } } },
        },
        ...answering(boat),
      },
    },
  });
  expect(domain.capabilities["boat_create"]?.["parameters"]).toEqual([
    { name: "name", value_ref: "text" },
  ]);
});

it("of a body that has very many members in its objects less is taught of each, and all are sent (ADR 0221)", async () => {
  const many = (count: number, schema: object) =>
    object(Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, schema])));
  const tab = many(40, object({ left: integer, top: integer }));
  const body = (lists: number) => ({
    ...boats,
    "/boats": {
      ...boats["/boats"],
      post: taking(many(lists, list(tab))),
    },
  });
  const forms = async (lists: number) => {
    const { domain, mappings, diagnostics } = await made(body(lists));
    expect(diagnostics).toEqual([]);
    const sent = mappings["boat_create"]?.["body"] as { readonly fields: readonly unknown[] };
    expect(sent.fields).toHaveLength(lists);
    const parameters = (domain.capabilities["boat_create"]?.["parameters"] ??
      []) as readonly object[];
    return parameters[0];
  };
  const element = (field: object) => ({
    input_type: { type: "array", element_type: { fields: Array(40).fill(field) as unknown[] } },
  });
  expect(await forms(8)).toMatchObject(element({ input_type: { type: "object" } }));
  expect(await forms(20)).toMatchObject(element({ value_ref: "free" }));
  expect(await forms(30)).toMatchObject({ value_ref: "free" });
});

it("21 a member that only says of what kind a row is is sent by itself, and is no argument", async () => {
  const body = object(
    {
      object: { type: "string", enum: ["boat"] },
      type: { const: "sail" },
      state: { type: "string", enum: ["open"] },
      hint: { type: "string", enum: ["x"] },
      name: text,
    },
    ["object", "type", "state"],
  );
  const { domain, mappings, diagnostics } = await made({
    ...boats,
    "/boats": {
      ...boats["/boats"],
      post: {
        requestBody: { required: true, content: { "application/json": { schema: body } } },
        ...answering(boat),
      },
    },
  });
  expect(diagnostics).toEqual([]);
  const { boat_create: create } = domain.capabilities;
  expect(create?.["parameters"]).toMatchObject([
    { name: "hint" },
    { name: "name" },
    { name: "state", required: true },
  ]);
  expect(mappings["boat_create"]?.["body"]).toMatchObject({
    fields: [
      ["hint", {}],
      ["name", {}],
      ["object", { type: "const", value: "boat" }],
      ["state", {}],
      ["type", { type: "const", value: "sail" }],
    ],
  });
});
