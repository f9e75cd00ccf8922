import { ACTING_TEXT, type HostileInput, PROTOTYPE_NAMES, utf16 } from "./hostile-input.ts";

const text = { type: "string" };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const object = (properties: object) => ({ type: "object", properties });
const answering = (schema: unknown, more: object = {}) => ({
  responses: {
    "200": { description: "", content: { "application/json": { schema } } },
  },
  ...more,
});
const id = { name: "id", in: "path", required: true, schema: text };

/** A document with a path that gives a boat of this schema, and what else it has. */
const documentOf = (boat: unknown, more: object = {}, paths: object = {}): string =>
  JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Harbour", version: "1" },
    servers: [{ url: "https://api.example.com" }],
    paths: { "/boats/{id}": { get: answering(boat, { parameters: [id] }) }, ...paths },
    ...more,
  });

/** The same with named schemas, of which the boat is the first. */
const schemasOf = (schemas: object): string => documentOf(ref("S0"), { components: { schemas } });

/** Schemas of which each leads to the next many times over. */
const levels = (most: number, of: (next: object) => object): object =>
  Object.fromEntries([
    ...Array.from({ length: most }, (_, n) => [`S${n}`, of(ref(`S${n + 1}`))] as const),
    [`S${most}`, object({ id: text })],
  ]);

const times = <Made>(count: number, of: (at: number) => Made): readonly Made[] =>
  Array.from({ length: count }, (_, at) => of(at));
const members = (count: number, of: unknown): object =>
  Object.fromEntries(times(count, (at) => [`m${at}`, of]));
const boat = object({ id: text, name: text });
const NEITHER = /neither JSON nor YAML/;
/** A member that is a prototype in most notations; as JSON it is one like others. */
const PROTOTYPES = JSON.stringify(
  object(Object.fromEntries(PROTOTYPE_NAMES.map((name) => [`${name}!`, text]))),
).replaceAll("!", "");

/** OpenAPI documents, in JSON or YAML. */
export const HOSTILE_DOCUMENTS: readonly HostileInput[] = [
  { name: "a reference to itself", content: schemasOf({ S0: ref("S0") }) },
  {
    name: "references in a circle",
    content: schemasOf({ S0: ref("S1"), S1: ref("S2"), S2: ref("S0") }),
  },
  { name: "a reference to the whole", content: documentOf({ $ref: "#" }) },
  {
    name: "references to nowhere and elsewhere",
    content: schemasOf({
      S0: object({ id: text, a: ref("X"), d: { $ref: 7 } }),
    }),
  },
  {
    name: "a reference to an address",
    content: documentOf({ $ref: "http://127.0.0.1:1/x" }),
    said: /nothing is fetched that was not asked for/,
  },
  {
    name: "a reference to a file of the machine",
    content: documentOf({ $ref: "/etc/passwd" }),
    said: /is not a path from its own file/,
  },
  {
    name: "references that fan out",
    content: schemasOf(levels(30, (next) => object(members(10, next)))),
  },
  {
    name: "a bomb of allOf",
    content: schemasOf(levels(25, (next) => ({ allOf: times(10, () => next) }))),
  },
  {
    name: "a bomb of oneOf in allOf",
    content: schemasOf(
      levels(25, (next) => ({ allOf: times(3, () => ({ oneOf: times(3, () => next) })) })),
    ),
  },
  {
    name: "allOf and oneOf of themselves",
    content: schemasOf({
      S0: { allOf: [ref("S0"), ref("S1")] },
      S1: { oneOf: [ref("S0"), ref("S1")] },
    }),
  },
  {
    name: "parts side by side",
    content: documentOf({ allOf: times(2_000, (at) => object({ [`f${at}`]: text })) }),
  },
  {
    name: "ten thousand options",
    content: documentOf(
      object({ id: text, kind: { type: "string", enum: times(10_000, (at) => `option ${at}`) } }),
    ),
  },
  {
    name: "options of every type",
    content: documentOf(
      object({
        id: text,
        kind: { enum: [null, 1, -0.0, 1e308, true, [], {}, "", ACTING_TEXT, "__proto__"] },
      }),
    ),
  },
  {
    name: "two thousand properties",
    content: documentOf(object({ id: text, ...members(2_000, text) })),
  },
  {
    name: "five hundred parameters",
    content: documentOf(
      boat,
      {},
      {
        "/boats": {
          get: answering(
            { type: "array", items: boat },
            { parameters: times(500, (at) => ({ name: `p${at}`, in: "query", schema: text })) },
          ),
        },
      },
    ),
  },
  {
    name: "nesting in its properties",
    content: documentOf(
      times(150, () => 0).reduce<object>((inner) => object({ id: text, inner }), boat),
    ),
  },
  {
    name: "nesting without end",
    content: `{"openapi":"3.1.0","paths":${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}}`,
    said: /more than 500 levels/,
  },
  { name: "nesting that is never closed", content: '{"a":'.repeat(100_000), said: NEITHER },
  { name: "brackets without end", content: `openapi: ${"[".repeat(1_000_000)}`, said: NEITHER },
  { name: "closing brackets", content: `openapi: 3.1.0\n${"]".repeat(300_000)}`, said: NEITHER },
  {
    name: "maps in maps in one line",
    content: `openapi: 3.1.0\npaths: ${"a: ".repeat(50_000)}`,
    said: NEITHER,
  },
  {
    name: "maps in maps, deeper by each line",
    content: Array.from({ length: 700 }, (_, at) => `${" ".repeat(at)}a:`).join("\n"),
    said: /more than 500 levels|neither JSON nor YAML/,
  },
  { name: "quotes without end", content: `openapi: ${'"'.repeat(300_001)}`, said: NEITHER },
  { name: "anchors without end", content: "&a ".repeat(100_000), said: NEITHER },
  { name: "documents without end", content: "--- a\n".repeat(100_000), said: /it is not a map/ },
  {
    name: "a bomb of aliases",
    content: times(12, (n) =>
      n === 0 ? "a0: &a0 [x]" : `a${n}: &a${n} [${`*a${n - 1},`.repeat(9)}]`,
    ).join("\n"),
    said: /Excessive alias count/,
  },
  {
    name: "an alias of itself",
    content: "openapi: 3.1.0\npaths: &a { /a: *a }\n",
    said: /leads back to itself|neither JSON nor YAML|cannot be/,
  },
  {
    name: "keys twice",
    content: "openapi: 3.1.0\npaths: {}\npaths: {}\n",
    said: /the key paths twice/,
  },
  {
    name: "a merge key",
    content: `openapi: 3.1.0\nx: &x { get: {} }\ninfo: { title: a, version: "1" }\npaths: { /a: { <<: *x } }\n`,
    said: /./,
  },
  {
    name: "prototype names as properties",
    content: documentOf("PROTOTYPES").replace('"PROTOTYPES"', PROTOTYPES),
  },
  {
    name: "prototype names as paths and tags",
    content: documentOf(
      boat,
      {},
      Object.fromEntries(
        PROTOTYPE_NAMES.map((name) => [
          `/${name}/{${name}}`,
          { get: answering(boat, { operationId: name, tags: [name] }) },
        ]),
      ),
    ),
  },
  {
    name: "prototype names as schemas",
    content: documentOf(ref("__proto__"), {
      components: {
        schemas: JSON.parse(
          `{"__proto__":{"type":"object","properties":{"id":{"type":"string"}}},"constructor":{"$ref":"#/components/schemas/__proto__"}}`,
        ) as object,
      },
    }),
  },
  {
    name: "a reference into a prototype",
    content: documentOf({ $ref: "#/constructor/prototype" }),
  },
  {
    name: "paths that are slots alone",
    content: documentOf(
      boat,
      {},
      {
        "/{a}": { get: answering(boat) },
        "/{a}/{b}/{c}": { get: answering(boat) },
        "/{}": { get: answering(boat) },
        "/{a}{b}": { get: answering(boat) },
        "{": { get: answering(boat) },
        "": { get: answering(boat) },
      },
    ),
  },
  {
    name: "a path of half a million",
    content: documentOf(boat, {}, { [`/${"a/{b}".repeat(100_000)}`]: { get: answering(boat) } }),
  },
  {
    name: "paths like patterns",
    content: documentOf(
      boat,
      {},
      {
        "/(a+)+$/{.*}": { get: answering(boat) },
        "/^[a-z]*(x|x)*\\d{1,}/{(?=a)}": { get: answering(boat) },
      },
    ),
  },
  {
    name: "patterns that go back and forth",
    content: documentOf(
      object({
        id: {
          type: "string",
          pattern: "^(a+)+$",
          default: "a".repeat(50_000),
          example: `${"a".repeat(50_000)}!`,
        },
      }),
    ),
  },
  {
    name: "a description of a million",
    content: documentOf(
      { ...boat, description: "a b. ".repeat(200_000) },
      { info: { title: "Harbour", version: "1", description: "c ".repeat(500_000) } },
    ),
  },
  {
    name: "a title of blanks and marks",
    content: documentOf(boat, {
      info: { title: `${" ".repeat(100_000)}-${"_".repeat(100_000)}`, version: "1" },
    }),
  },
  {
    name: "names of a hundred thousand",
    content: documentOf(object({ id: text, ["aB_".repeat(33_333)]: text })),
  },
  {
    name: "names without a letter",
    content: documentOf(
      object({ id: text, "": text, "-": text, "🚢": text, 字: text, " ": text, "\n": text }),
    ),
  },
  {
    name: "controls and turned text",
    content: documentOf(
      {
        ...boat,
        description: ACTING_TEXT,
        properties: { id: text, [ACTING_TEXT]: { type: "string", description: ACTING_TEXT } },
      },
      { info: { title: ACTING_TEXT, version: "1", description: ACTING_TEXT } },
      {
        [`/${ACTING_TEXT}`]: {
          get: answering(boat, { operationId: ACTING_TEXT, summary: ACTING_TEXT }),
        },
      },
    ),
  },
  {
    name: "half pairs",
    content: documentOf(
      object({ id: text, HALF: { type: "string", description: "HALF" } }),
    ).replaceAll("HALF", "\\ud800"),
  },
  { name: "bytes of zero in names", content: documentOf(object({ id: text, "a\u0000b": text })) },
  {
    name: "wrong types everywhere",
    content: JSON.stringify({
      openapi: "3.1.0",
      info: 7,
      servers: { url: [] },
      paths: {
        "/a": [],
        "/b": { get: "x", put: null, parameters: {} },
        "/c": {
          get: {
            parameters: [null, 1, [], { name: {}, in: 3 }],
            responses: [1],
            requestBody: "no",
            tags: {},
          },
        },
      },
      components: [],
      security: "x",
    }),
  },
  {
    name: "schemas that are no schemas",
    content: documentOf({
      type: ["object", 7, null],
      properties: [1],
      required: { a: 1 },
      allOf: {},
      oneOf: "x",
      enum: 7,
      items: [[]],
    }),
  },
  {
    name: "schemas that are true and false",
    content: documentOf(object({ id: text, a: true, b: false, c: { type: "array", items: true } })),
  },
  {
    name: "numbers beyond all",
    content: documentOf(
      object({ id: text, n: { type: "integer", minimum: 0, maximum: 0, default: 0 } }),
    ).replaceAll(":0", `:${"9".repeat(100_000)}`),
  },
  {
    name: "servers with templates of themselves",
    content: documentOf(boat, {
      servers: times(2_000, () => ({
        url: "https://{a}.example.com/{b}",
        variables: { a: { default: "{a}{a}" }, b: { default: "{b}" } },
      })),
    }),
  },
  {
    name: "security that leads nowhere",
    content: documentOf(boat, {
      security: times(3_000, (at) => ({ [`s${at}`]: [] })),
      components: {
        securitySchemes: { a: null, b: { type: "oauth2" }, c: { type: "http", scheme: {} } },
      },
    }),
  },
  {
    name: "Swagger that leads round",
    content: JSON.stringify({
      swagger: "2.0",
      info: { title: "a", version: "1" },
      host: "api.example.com",
      definitions: { A: { allOf: [{ $ref: "#/definitions/A" }] } },
      paths: {
        "/a/{id}": {
          get: { responses: { 200: { description: "", schema: { $ref: "#/definitions/A" } } } },
        },
      },
    }),
  },
  { name: "a mark at its beginning", content: `\ufeff${documentOf(boat)}` },
  { name: "UTF-16", content: utf16(documentOf(boat)), said: /is not UTF-8 text/ },
  { name: "bytes of zero", content: new Uint8Array(300_000), said: /./ },
  {
    name: "random bytes",
    content: Uint8Array.from({ length: 100_000 }, (_, n) => (n * 7919) % 256),
    said: /is not UTF-8 text/,
  },
  { name: "broken off", content: documentOf(boat).slice(0, -40), said: /ends in the middle/ },
  { name: "nothing", content: " \n", said: /The document is empty/ },
  {
    name: "a page",
    content: `<!doctype html><html>${"<p>".repeat(300_000)}`,
    said: /a page of HTML/,
  },
];
