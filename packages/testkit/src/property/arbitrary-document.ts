import fc from "fast-check";

/** Names that are fine for an API, and are something else to programs, objects or files. */
const NAMES = [
  "id",
  "boat",
  "boats",
  "Boat",
  "boat_id",
  "boatId",
  "__proto__",
  "constructor",
  "e1",
  "p2",
  "page",
  "limit",
  "offset",
  "cursor",
  "next_cursor",
  "next",
  "data",
  "items",
  "input",
  "filter",
  "null",
  "true",
  "q",
  "sort",
  "length",
  "1st",
  "a.b",
  "a-b",
  "größe",
  "船",
  "",
  "$ref",
  "x y",
  "owner",
  "name",
  "update",
  "delete",
  "get",
  "query",
  "plasm",
  "*",
  "#",
  "a: b",
  "tab\tname",
  "line\nname",
];

const name = fc.constantFrom(...NAMES);
const said = fc.constantFrom(
  "",
  "a line",
  "two\nlines: # and more",
  "- a list\n- of two",
  "```\ncode",
  "\u0007 bell",
  "{ a: b }",
  "*anchor",
  "x".repeat(300),
);

const scalar = fc.oneof(
  fc.record(
    {
      type: fc.constantFrom("string", "integer", "number", "boolean", "null", "odd"),
      format: fc.constantFrom("date", "date-time", "uuid", "binary", "uri", "int64"),
      description: said,
      nullable: fc.boolean(),
      maximum: fc.constantFrom(0, 1, 50, 1e9, -1),
      default: fc.constantFrom<unknown>(0, 1, 20, "x", null),
      readOnly: fc.boolean(),
      writeOnly: fc.boolean(),
    },
    { requiredKeys: [] },
  ),
  fc.record({
    type: fc.constant("string"),
    enum: fc.array(fc.constantFrom<unknown>("a", "b", "", "no", "a b", "1", 1, null, "x\ny")),
  }),
  fc.record({ const: fc.constantFrom<unknown>("a", 1, null, { a: 1 }) }),
  fc.record({ type: fc.array(fc.constantFrom("string", "integer", "null", "object")) }),
);

const COMPONENTS = [
  "Boat",
  "BoatEntry",
  "boat-full",
  "Person",
  "e1",
  "Response",
  "1",
  "Log",
] as const;

/** A schema, which may refer to components, itself included. */
const { schema } = fc.letrec<{ schema: unknown; record: unknown }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalar,
    fc.constantFrom(...COMPONENTS).map((one) => ({ $ref: `#/components/schemas/${one}` })),
    tie("record"),
    fc.record({ type: fc.constant("array"), items: tie("schema") }),
    fc.record({ oneOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
    fc.record({
      anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }),
      description: said,
    }),
    fc.record({ allOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
    fc.constant({ $ref: "https://elsewhere.example/schema.json" }),
    fc.constant({ type: "object", additionalProperties: true }),
    fc.constant({}),
  ),
  record: fc.record(
    {
      type: fc.constant("object"),
      description: said,
      properties: fc.dictionary(name, tie("schema"), { maxKeys: 5 }),
      required: fc.array(name, { maxLength: 3 }),
    },
    { requiredKeys: ["properties"] },
  ),
}));

const media = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom("application/json", "application/vnd.api+json", "*/*") },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "application/x-www-form-urlencoded",
      "multipart/form-data",
      "text/html",
    ),
  },
);

const rowName = fc.constantFrom(...NAMES.slice(0, 20));
const row = fc.oneof(
  fc.constantFrom(...COMPONENTS).map((one) => ({ $ref: `#/components/schemas/${one}` })),
  fc.record({
    type: fc.constant("object"),
    properties: fc.dictionary(rowName, schema, { minKeys: 1, maxKeys: 5 }),
  }),
);
const rows = fc.oneof(
  row,
  row.map((items) => ({ type: "array", items })),
  fc
    .tuple(fc.constantFrom("items", "data", "boats", "things"), row, rowName, schema)
    .map(([key, items, other, beside]) => ({
      type: "object",
      properties: { [other]: beside, [key]: { type: "array", items } },
    })),
  schema,
);
const withSchema = (one: fc.Arbitrary<unknown>) =>
  fc.dictionary(media, fc.record({ schema: one }), { minKeys: 1, maxKeys: 2 });

const parameter = fc.record(
  {
    name,
    in: fc.oneof(
      { weight: 20, arbitrary: fc.constantFrom("query", "path", "query", "path", "header") },
      { weight: 1, arbitrary: fc.constant("cookie") },
    ),
    required: fc.boolean(),
    schema,
    description: said,
    style: fc.constantFrom("form", "spaceDelimited", "deepObject"),
    explode: fc.boolean(),
  },
  { requiredKeys: ["name", "in"] },
);

const response = fc.record(
  {
    description: said,
    content: withSchema(rows),
    headers: fc.constantFrom<unknown>({ Link: { schema: { type: "string" } } }, {}),
  },
  { requiredKeys: ["description"] },
);

const operation = fc.record(
  {
    operationId: fc.oneof(name, fc.constantFrom("boats/list", "getBoat", "boats/ping", "list")),
    summary: said,
    tags: fc.array(name, { maxLength: 2 }),
    deprecated: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
    parameters: fc.array(parameter, { maxLength: 4 }),
    requestBody: fc.record({ required: fc.boolean(), content: withSchema(fc.oneof(row, schema)) }),
    responses: fc.dictionary(
      fc.constantFrom("200", "200", "200", "201", "default", "2XX"),
      response,
      { minKeys: 1, maxKeys: 2 },
    ),
  },
  { requiredKeys: ["responses"] },
);

const segment = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom("boats", "people", "owners", "visits", "search", "ping", "me", "v1"),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      "{id}",
      "{boat_id}",
      "{login}",
      "{boatId}",
      "{day}",
      "{page}",
      "{e1}",
      "{name}.json",
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom("", "..", "a b", "{a}{b}", "x?y", "#", "{}", "ü", "a:b"),
  },
);

const path = fc.array(segment, { minLength: 1, maxLength: 5 }).map((all) => `/${all.join("/")}`);

const methods = fc.dictionary(
  fc.constantFrom("get", "get", "get", "post", "put", "patch", "delete", "head", "x-odd"),
  operation,
  { minKeys: 1, maxKeys: 4 },
);

const schemes = fc.record({
  key: fc.constantFrom<unknown>(
    { type: "apiKey", in: "header", name: "X-Key" },
    { type: "apiKey", in: "query", name: "key" },
    { type: "apiKey", in: "cookie", name: "sid" },
    { type: "apiKey", in: "header", name: "no\nheader" },
  ),
  token: fc.constantFrom<unknown>(
    { type: "http", scheme: "bearer" },
    { type: "http", scheme: "basic" },
    { type: "http", scheme: "digest" },
    {
      type: "oauth2",
      flows: { clientCredentials: { tokenUrl: "https://a.example/token", scopes: { read: "" } } },
    },
    { type: "oauth2", flows: { clientCredentials: { tokenUrl: "/token", scopes: {} } } },
    { type: "openIdConnect", openIdConnectUrl: "https://a.example" },
  ),
});

const server = fc.constantFrom<unknown>(
  { url: "https://api.example.com/v1/" },
  { url: "http://127.0.0.1:4801" },
  { url: "/api" },
  {
    url: "https://{host}.example/{base}",
    variables: { host: { default: "a" }, base: { default: "v2" } },
  },
  { url: "https://{host}.example" },
  { url: "ftp://a.example" },
  { url: "https://u:p@a.example/?q=1#f" },
  { url: "" },
);

/** Things as most APIs have them: a list, one of them, writes, and what belongs to one; the row has any properties. */
const resource = fc
  .record({
    noun: fc.constantFrom("boats", "people", "owners", "visits"),
    variable: fc.constantFrom("id", "boat_id", "boatId", "login", "key"),
    named: fc.constantFrom<string | null>(...COMPONENTS, null),
    properties: fc.dictionary(name, schema, { maxKeys: 8 }),
    body: fc.oneof(row, schema),
    query: fc.array(parameter, { maxLength: 3 }),
    envelope: fc.boolean(),
    wide: operation,
  })
  .map(({ noun, variable, named, properties, body, query, envelope, wide }) => {
    const own = { type: "object", properties: { ...properties, id: { type: "string" } } };
    const said = named === null ? own : { allOf: [own, { $ref: `#/components/schemas/${named}` }] };
    const json = (one: unknown) => ({ content: { "application/json": { schema: one } } });
    const answers = (one: unknown) => ({ responses: { "200": { description: "", ...json(one) } } });
    const list = { type: "array", items: said };
    const listed = envelope ? { type: "object", properties: { items: list } } : list;
    const item = `/${noun}/{${variable}}`;
    return {
      [`/${noun}`]: {
        get: {
          ...answers(listed),
          parameters: query.filter(({ in: place }) => place !== "cookie"),
        },
        post: { ...answers(said), requestBody: json(body) },
      },
      [item]: {
        get: answers(said),
        patch: { requestBody: json(body), responses: {} },
        delete: { responses: {} },
      },
      [`${item}/visits`]: { get: answers(listed), post: wide },
      [`${item}/visits/{day}`]: { get: answers(said), put: wide },
      [`${item}/papers`]: { get: answers(body) },
    };
  });

/** An OpenAPI document, with whatever may stand in one; something in it can always be read. */
export const arbitraryDocument = fc.record(
  {
    openapi: fc.constantFrom("3.0.3", "3.1.0"),
    info: fc.record({ title: said, version: said, description: said }),
    servers: fc.array(server, { maxLength: 2 }),
    security: fc.array(fc.dictionary(fc.constantFrom("key", "token"), fc.constant([])), {
      maxLength: 2,
    }),
    paths: fc
      .tuple(
        fc.dictionary(path, methods, { maxKeys: 5 }),
        fc.array(resource, { minLength: 1, maxLength: 2 }),
      )
      .map(([any, resources]) => Object.assign({}, any, ...resources) as Record<string, unknown>),
    components: fc.record({
      schemas: fc.record(Object.fromEntries(COMPONENTS.map((one) => [one, schema]))),
      securitySchemes: schemes,
    }),
  },
  { requiredKeys: ["openapi", "info", "paths", "components"] },
);
