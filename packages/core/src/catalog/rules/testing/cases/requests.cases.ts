import type { CatalogPatch } from "@plasm/testkit";
import type { BrokenCase } from "../broken-case.ts";

/** A get of a box with a mapping of the given keys. */
const get = (mapping: string): CatalogPatch => ({
  capabilities:
    "parcel_x: {kind: get, entity: Parcel, parameters: [{name: a, value_ref: text, required: true}]}",
  mappings: `parcel_x: {${mapping}}`,
});

/** An action with a body. */
export const post = (mapping: string): CatalogPatch => ({
  capabilities:
    "parcel_x: {kind: action, entity: Parcel, parameters: [{name: a, value_ref: text}], output: {type: side_effect, description: Done}}",
  mappings: `parcel_x: {method: POST, path: [{type: var, name: id}], ${mapping}}`,
});

const path = (segments: string): CatalogPatch =>
  get(`method: GET, path: [{type: var, name: a}, ${segments}]`);

const a = "{type: var, name: a}";

const object = `{type: object, fields: [[a, ${a}]]}`;

/** `depth` expressions inside each other. */
export const nested = (depth: number, inner = a): string =>
  depth === 1 ? inner : `{type: join, sep: "", expr: ${nested(depth - 1, inner)}}`;

/** Faults of CAT-001, CAT-003, CAT-004, MAP-001, MAP-002, MAP-005, MAP-010, MAP-011, MAP-013, MAP-014, MAP-015, MAP-016, MAP-017, MAP-018, MAP-020, MAP-021. */
export const requestsCases: readonly BrokenCase[] = [
  {
    rule: "MAP-001",
    when: "an entry without capability",
    patch: { mappings: "«parcel_gets»: {anything: [goes]}\nx-holder: [1]" },
    at: "parcel_gets",
    says: ["parcel_gets", "(nearest: parcel_get)", "x-"],
    severity: "warning",
  },
  {
    rule: "MAP-002",
    when: "a template that is no map",
    patch: {
      capabilities: "parcel_x: {kind: search, entity: Parcel}",
      mappings: "parcel_x: «[GET]»",
    },
    at: "parcel_x",
    says: ["a list of 1", "http (default), graphql, view, evm_call or evm_logs"],
  },
  {
    rule: "MAP-002",
    when: "an unknown transport",
    patch: get("transport: «grapql», method: GET, path: []"),
    at: "parcel_x.transport",
    says: ['"grapql"', "(nearest: graphql)", "evm_logs"],
  },
  {
    rule: "CAT-003",
    when: "a request without method",
    patch: {
      capabilities: "parcel_x: {kind: search, entity: Parcel}",
      mappings: "«parcel_x»: {path: []}",
    },
    at: "parcel_x.method",
    says: ["method", "GET"],
  },
  {
    rule: "CAT-001",
    when: "an unknown key",
    patch: get(`method: GET, path: [${a}], «querry»: {}`),
    at: "parcel_x.querry",
    says: ["querry", "(nearest: query)", "transport, method, path, query"],
    severity: "warning",
  },
  {
    rule: "CAT-004",
    when: "a key twice",
    patch: get(`method: GET, «method»: GET, path: [${a}]`),
    at: "parcel_x.method",
    says: ["method", "first at 11:12"],
    severity: "warning",
  },
  ...["a?b", "a#b", "a/../b", ".", "a\\tb"].map((value) => ({
    rule: "MAP-010",
    when: `the literal ${value}`,
    patch: path(`{type: literal, value: «"${value}"»}`),
    at: "parcel_x.path[1].value",
    says: ["?, # and control characters", ". or .."],
  })),
  ...[
    { first: "/parcels", more: "", made: "//parcels", instead: '"parcels"' },
    { first: "/", more: "", made: "//.", instead: '""' },
    { first: "//a/", more: "", made: "///a/", instead: '"a/"' },
    { first: "a/", more: ", {type: literal, value: b}", made: "/a//b", instead: '"a"' },
    {
      first: "https://x.example/",
      more: ", {type: literal, value: b}",
      made: "https://x.example//b",
      instead: '"https://x.example"',
    },
  ].map(({ first, more, made, instead }) => ({
    rule: "MAP-010",
    when: `the literal ${first}${more === "" ? " alone" : " before another"}`,
    patch: get(
      `method: GET, path: [{type: literal, value: «"${first}"»}${more}], query: ${object}`,
    ),
    at: "parcel_x.path[0].value",
    says: [JSON.stringify(first), made, `Allowed: ${instead};`],
    severity: "warning" as const,
  })),
  {
    rule: "MAP-011",
    when: "an absolute URL as second segment",
    patch: path("{type: literal, value: «https://x.example»}"),
    at: "parcel_x.path[1].value",
    says: ["https://x.example", "first segment only"],
  },
  {
    rule: "MAP-013",
    when: "a query that is an array",
    patch: get(`method: GET, path: [${a}], query: «{type: array, elements: []}»`),
    at: "parcel_x.query",
    says: ["array", "object"],
  },
  {
    rule: "MAP-013",
    when: "brackets for what the query does not have",
    patch: get(`method: GET, path: [${a}], query: ${object}, query_brackets: [a, «aa»]`),
    at: "parcel_x.query_brackets[1]",
    says: ['"aa"', "(nearest: a)"],
  },
  {
    rule: "MAP-026",
    when: "numbers for what the query does not have",
    patch: get(
      `method: GET, path: [${a}], query: ${object}, query_numbered: {a: {}, «aa»: {list: b}}`,
    ),
    at: "parcel_x.query_numbered.aa",
    says: ['"aa"', "(nearest: a)"],
  },
  {
    rule: "MAP-026",
    when: "numbers and brackets for one member",
    patch: get(
      `method: GET, path: [${a}], query: ${object}, query_brackets: [a], query_numbered: {«a»: {}}`,
    ),
    at: "parcel_x.query_numbered.a",
    says: ['"a"', "query_brackets"],
  },
  {
    rule: "MAP-014",
    when: "headers that are text",
    patch: get(`method: GET, path: [${a}], headers: «{type: const, value: x}»`),
    at: "parcel_x.headers",
    says: ["const", "object"],
  },
  {
    rule: "MAP-014",
    when: "a header name with a blank",
    patch: get(`method: GET, path: [], headers: {type: object, fields: [[«"X A"», ${a}]]}`),
    at: "parcel_x.headers.fields[0][0]",
    says: ['"X A"', "no header name"],
  },
  {
    rule: "MAP-016",
    when: "body beside multipart",
    patch: post(
      `body_format: multipart, multipart: {parts: [{name: p, content: ${a}}]}, «body»: ${object}`,
    ),
    at: "parcel_x.body",
    says: ["body beside multipart"],
  },
  {
    rule: "MAP-017",
    when: "parts without body_format multipart",
    patch: post(`«multipart»: {parts: [{name: p, content: ${a}}]}`),
    at: "parcel_x.multipart",
    says: ["json", "body_format: multipart"],
  },
  {
    rule: "MAP-024",
    when: "a body of bytes that is put together of members",
    patch: post(`«body_format»: binary, body: ${object}`),
    at: "parcel_x.body_format",
    says: ["a body of type object", "a file or text"],
  },
  {
    rule: "MAP-018",
    when: "a get that is sent as DELETE",
    patch: get("method: «DELETE», path: [{type: var, name: a}]"),
    at: "parcel_x.method",
    says: ["parcel_x is a get", "sent as DELETE", "delete or action"],
    severity: "warning",
  },
  {
    rule: "MAP-018",
    when: "a get that is sent as POST, with nothing that says why",
    patch: get(`method: «POST», path: [{type: literal, value: parcels}], body: ${object}`),
    at: "parcel_x.method",
    says: ["sent as POST", "starts with what it returns"],
    severity: "warning",
  },
  {
    rule: "MAP-018",
    when: "a get whose GraphQL document is a mutation",
    patch: {
      capabilities: "parcel_x: {kind: get, entity: Parcel}",
      mappings:
        '«parcel_x»: {transport: graphql, method: POST, path: [], body: {type: object, fields: [[query, {type: const, value: "mutation M($id: ID!) { drop(id: $id) { id } }"}], [id, {type: var, name: id}]]}}',
    },
    at: "parcel_x",
    says: ["GraphQL mutation", "for a mutation"],
    severity: "warning",
  },
  {
    rule: "MAP-020",
    when: "an unknown expression",
    patch: post("body: {type: «concat», parts: []}"),
    at: "parcel_x.body.type",
    says: ['"concat"', "var, const, object, array, if, join, format, call", "sign_body"],
  },
  {
    rule: "MAP-020",
    when: "an unknown condition",
    patch: post(
      `body: {type: if, condition: {type: «present», var: a}, then_expr: ${a}, else_expr: ${a}}`,
    ),
    at: "parcel_x.body.condition.type",
    says: ['"present"', "exists, equals, bool"],
  },
  {
    rule: "MAP-020",
    when: "a function that is not registered",
    patch: post("body: {type: call, function: «sign», args: []}"),
    at: "parcel_x.body.function",
    says: ["sign", "sign_body"],
  },
  {
    rule: "MAP-021",
    when: "a variable the format text does not name",
    patch: post(`body: {type: format, template: "x", vars: {«b»: ${a}}}`),
    at: "parcel_x.body.vars.b",
    says: ["never names b"],
  },
  {
    rule: "MAP-021",
    when: "a name the vars have not",
    patch: post(`body: {type: format, template: «"{a}{bb}"», vars: {a: ${a}}}`),
    at: "parcel_x.body.template",
    says: ["bb", "Allowed: a"],
  },
  {
    rule: "MAP-021",
    when: "an unclosed brace",
    patch: post(`body: {type: format, template: «"{a"», vars: {a: ${a}}}`),
    at: "parcel_x.body.template",
    says: ["unclosed brace", "a"],
  },
  {
    rule: "MAP-021",
    when: "an empty brace",
    patch: post(`body: {type: format, template: «"{}{a}"», vars: {a: ${a}}}`),
    at: "parcel_x.body.template",
    says: ["empty brace"],
  },
  {
    rule: "MAP-005",
    when: "65 expressions deep",
    patch: post(`body: ${nested(65, `«${a}»`)}`),
    at: `parcel_x.body${".expr".repeat(64)}`,
    says: ["at most 64"],
  },
  {
    rule: "MAP-011",
    when: "a URL with a query as first segment",
    patch: get(
      'method: GET, path: [{type: literal, value: «"https://other.example/a?b=1"»}, {type: var, name: a}]',
    ),
    at: "parcel_x.path[0].value",
    says: ["https://other.example/a?b=1", "without user, query and fragment"],
  },
  {
    rule: "MAP-014",
    when: "a line break in a header",
    patch: get(
      'method: GET, path: [{type: var, name: a}], headers: {type: object, fields: [[X-A, {type: const, value: «"b\\nc"»}]]}',
    ),
    at: "parcel_x.headers.fields[0][1].value",
    says: ["X-A", '"b\\nc"', "one line"],
  },
  {
    rule: "MAP-015",
    when: "a form that is no object",
    patch: post(`body_format: form_urlencoded, body: «{type: array, elements: [${a}]}»`),
    at: "parcel_x.body",
    says: ["type array", "type object"],
  },
  {
    rule: "MAP-016",
    when: "a file name on a scalar",
    patch: post(
      `body_format: multipart, multipart: {parts: [{name: p, «file_name»: ${a}, content: {type: const, value: 5}}]}`,
    ),
    at: "parcel_x.multipart.parts[0].file_name",
    says: ["part p", "scalar 5", "attachment"],
  },
  {
    rule: "MAP-016",
    when: "multipart without parts",
    patch: post(`«body_format»: multipart, query: ${object}`),
    at: "parcel_x.body_format",
    says: ["without parts", "at least one part"],
  },
  {
    rule: "CAT-004",
    when: "a key twice within a constant",
    patch: post(`query: ${object}, body: {type: const, value: {deep: [{k: 1, «k»: 2}]}}`),
    at: "parcel_x.body.value.deep[0].k",
    says: ["k stands here again", "first at"],
    severity: "warning",
  },
];
