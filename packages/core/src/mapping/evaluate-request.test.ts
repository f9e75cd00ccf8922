import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../values/value-type.ts";
import { evaluateRequest } from "./evaluate-request.ts";
import type { Expression, HttpTemplate, PathSegment } from "./template.ts";

const template = (parts: Partial<HttpTemplate>): HttpTemplate => ({
  transport: "http",
  method: "GET",
  path: [{ type: "literal", value: "boats" }],
  bodyFormat: "json",
  response: { single: false, wrapRootScalar: false, declared: false },
  ...parts,
});

function run(
  parts: Partial<HttpTemplate>,
  bindings: Readonly<Record<string, Json>> = {},
  optional: readonly string[] = [],
) {
  return evaluateRequest(template(parts), {
    bindings: new Map(Object.entries(bindings)),
    optional: new Set(optional),
    functions: new Map(),
  });
}

function value(...args: Parameters<typeof run>) {
  const result = run(...args);
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.value;
}

function errors(...args: Parameters<typeof run>) {
  const result = run(...args);
  return result.ok ? [] : result.errors.map(({ rule, variable }) => [rule, variable]);
}

const v = (name: string): Expression => ({ type: "var", name });
const segment = (
  name: string,
  more: Partial<Extract<PathSegment, { type: "var" }>> = {},
): PathSegment => ({
  type: "var",
  name,
  suffix: "",
  encode: "segment",
  ...more,
});
const fields = (...names: readonly string[]): Expression => ({
  type: "object",
  fields: names.map((name) => [name, v(name)] as const),
});

describe("path (MAP-010 to MAP-012)", () => {
  const boat: PathSegment = { type: "literal", value: "v1/boats" };

  test.each<[string, readonly PathSegment[], Record<string, Json>, string]>([
    ["segments are joined by /", [boat, segment("id")], { id: "b1" }, "/v1/boats/b1"],
    ["a suffix follows the value", [segment("id", { suffix: ":label" })], { id: 7 }, "/7:label"],
    [
      "an empty literal is a trailing slash",
      [boat, { type: "literal", value: "" }],
      {},
      "/v1/boats/",
    ],
    ["a value is encoded completely", [segment("id")], { id: "a/b c?é" }, "/a%2Fb%20c%3F%C3%A9"],
    ["unreserved characters stay", [segment("id")], { id: "aZ0-._~" }, "/aZ0-._~"],
    ["encode: path keeps /", [segment("id", { encode: "path" })], { id: "a b/c" }, "/a%20b/c"],
    [
      "what is joined follows at once",
      [boat, segment("id", { suffix: "." }), segment("form", { joined: true })],
      { id: "b1", form: "x/y" },
      "/v1/boats/b1.x%2Fy",
    ],
    [
      "a variable behind text",
      [{ type: "literal", value: "a/photo" }, segment("n", { joined: true })],
      { n: 7 },
      "/a/photo7",
    ],
    ["booleans are text", [segment("id")], { id: true }, "/true"],
    [
      "an absolute URL is the first segment",
      [{ type: "literal", value: "https://x.example/api" }, segment("id")],
      { id: 1 },
      "https://x.example/api/1",
    ],
  ])("%s", (_name, path, bindings, expected) => {
    expect(value({ path }, bindings).path).toBe(expected);
  });

  test.each<[string, Json | undefined, string]>([
    ["empty", "", "MAP-012"],
    ["a list", ["a"], "MAP-012"],
    [".", ".", "MAP-012"],
    ["..", "..", "MAP-012"],
    ["explicit null", null, "MAP-022"],
    ["unbound", undefined, "MAP-012"],
    ["half a surrogate pair", "\ud800", "MAP-012"],
  ])("%s is an error naming the parameter", (_name, id, rule) => {
    const bindings: Record<string, Json> = id === undefined ? {} : { id };
    expect(errors({ path: [segment("id")] }, bindings)).toEqual([[rule, "id"]]);
    const inPath = [segment("id", { encode: "path" })];
    expect(errors({ path: inPath }, { id: "a/../b" })).toEqual([["MAP-012", "id"]]);
  });

  test("messages name requests by their path template", () => {
    const path = [boat, segment("id", { suffix: ":x" })];
    expect(value({ path }, { id: "secret" }).pathTemplate).toBe("/v1/boats/{id}:x");
  });

  test("any text is one segment that decodes to itself", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (id) => {
        fc.pre(id !== "." && id !== "..");
        const { path } = value({ path: [segment("id")] }, { id });
        expect(path).toMatch(/^\/[A-Za-z0-9._~%-]+$/);
        expect(decodeURIComponent(path.slice(1))).toBe(id);
      }),
    );
  });
});

test("MAP-013: query drops nothing and empty arrays, repeats keys, sends objects as JSON text", () => {
  const query = fields("none", "empty", "list", "flag", "object", "n");
  const bindings = { empty: [], list: ["a", 2], flag: false, object: { a: null }, n: 1.5 };
  expect(value({ query }, bindings, ["none"]).query).toEqual([
    ["list", "a"],
    ["list", "2"],
    ["flag", "false"],
    ["object", '{"a":null}'],
    ["n", "1.5"],
  ]);
  expect(errors({ query: v("list") }, bindings)).toEqual([["MAP-013", undefined]]);
});

test("MAP-013: what query_brackets names is written as in a form, an object and a list of objects", () => {
  const query = fields("filter", "lines", "tags", "n", "plain", "none");
  const template = { query, queryBrackets: ["filter", "lines", "tags", "n", "none"] };
  const bindings = {
    filter: { state: "open", near: { lat: 1 } },
    lines: [{ price: "p1", tags: ["x"] }, { price: "p2" }],
    tags: ["a", "b"],
    n: 1,
    plain: { a: 1 },
  };
  expect(value(template, bindings, ["none"]).query).toEqual([
    ["filter[state]", "open"],
    ["filter[near][lat]", "1"],
    ["lines[0][price]", "p1"],
    ["lines[0][tags][0]", "x"],
    ["lines[1][price]", "p2"],
    ["tags", "a"],
    ["tags", "b"],
    ["n", "1"],
    ["plain", '{"a":1}'],
  ]);
  expect(errors(template, { ...bindings, filter: { state: null } }, ["none"])).toEqual([
    ["MAP-022", "filter"],
  ]);
});

test("MAP-014: headers", () => {
  const headers = fields("A", "blank", "n", "none");
  expect(value({ headers }, { A: "x", blank: " ", n: 3 }, ["none"]).headers).toEqual([
    ["A", "x"],
    ["n", "3"],
  ]);
  expect(value({ headers: fields("X-A", "x-a") }, { "X-A": "1", "x-a": "2" }).headers).toEqual([
    ["x-a", "2"],
  ]);
  expect(errors({ headers: fields("A") }, { A: "x\r\nB: y" })).toEqual([["MAP-014", "A"]]);
  expect(errors({ headers: fields("A") }, { A: ["x"] })).toEqual([["MAP-014", "A"]]);
  for (const unsent of ["\u2713", "\ud83d\ude00", "a\u007f", "a\u001bb"]) {
    expect(errors({ headers: fields("A") }, { A: unsent })).toEqual([["MAP-014", "A"]]);
  }
  expect(value({ headers: fields("A") }, { A: "caf\u00e9" }).headers).toEqual([["A", "caf\u00e9"]]);
});

test("MAP-015: a form has names in brackets, nothing is skipped", () => {
  const form = {
    method: "POST",
    bodyFormat: "form_urlencoded",
    body: fields("a", "b", "none"),
  } as const;
  expect(value(form, { a: "x", b: true }, ["none"]).body).toEqual({
    format: "form_urlencoded",
    pairs: [
      ["a", "x"],
      ["b", "true"],
    ],
  });
  const pairs = (a: Json): unknown => value(form, { a, b: 1 }, ["none"]).body;
  const b = ["b", "1"];
  expect(pairs(["x", 2])).toEqual({
    format: "form_urlencoded",
    pairs: [["a", "x"], ["a", "2"], b],
  });
  expect(pairs({ "x y": true, in: { n: ["p", "q"] } })).toEqual({
    format: "form_urlencoded",
    pairs: [["a[x y]", "true"], ["a[in][n][0]", "p"], ["a[in][n][1]", "q"], b],
  });
  expect(pairs([{ price: "p1" }, { price: "p2" }])).toEqual({
    format: "form_urlencoded",
    pairs: [["a[0][price]", "p1"], ["a[1][price]", "p2"], b],
  });
  expect(pairs([])).toEqual({ format: "form_urlencoded", pairs: [b] });
  expect(errors(form, { a: { x: null }, b: 1 }, ["none"])).toEqual([["MAP-022", "a"]]);
  const listed = { ...form, body: { type: "object", fields: [["a[]", v("a")]] } } as const;
  expect(value(listed, { a: ["x", "y"] }).body).toEqual({
    format: "form_urlencoded",
    pairs: [
      ["a[]", "x"],
      ["a[]", "y"],
    ],
  });
  expect(value(listed, { a: [{ price: "p1" }] }).body).toEqual({
    format: "form_urlencoded",
    pairs: [["a[][price]", "p1"]],
  });
});

test("MAP-022: explicit null is sent in JSON bodies and an error elsewhere, naming the parameter", () => {
  const bindings = { note: null };
  expect(value({ body: fields("note") }, bindings).body).toEqual({
    format: "json",
    value: { note: null },
  });
  const renamed: Expression = { type: "object", fields: [["wire_note", v("note")]] };
  expect(errors({ query: renamed }, bindings)).toEqual([["MAP-022", "note"]]);
  expect(errors({ headers: renamed }, bindings)).toEqual([["MAP-022", "note"]]);
  expect(errors({ body: renamed, bodyFormat: "form_urlencoded" }, bindings)).toEqual([
    ["MAP-022", "note"],
  ]);
  const multipart = [{ name: "p", content: v("note") }];
  expect(errors({ bodyFormat: "multipart", multipart }, bindings)).toEqual([["MAP-022", "note"]]);
  expect(errors({ query: fields("list") }, { list: ["a", null] })).toEqual([["MAP-022", "list"]]);
});

test("no body unless the template gives one; `var input` is sent whole (MAP-023)", () => {
  expect(value({}).body).toBeUndefined();
  expect(value({ body: v("input") }, { input: { a: 1 } }).body).toEqual({
    format: "json",
    value: { a: 1 },
  });
});

describe("multipart (MAP-016)", () => {
  const one = (content: Expression, fileName?: Expression): Partial<HttpTemplate> => ({
    bodyFormat: "multipart",
    multipart: [{ name: "part", content, ...(fileName === undefined ? {} : { fileName }) }],
  });
  const attachment = (content: Json): Record<string, Json> => ({
    file: { __plasm_attachment: content },
  });

  test("scalars are text, objects and lists JSON parts, attachments bytes with defaults", () => {
    expect(value(one(v("a")), { a: 5 }).body).toEqual({
      format: "multipart",
      parts: [{ kind: "text", name: "part", text: "5" }],
    });
    expect(value(one(v("a")), { a: [1] }).body).toMatchObject({
      parts: [{ kind: "json", contentType: "application/json", value: [1] }],
    });
    expect(value(one(v("file")), attachment({ bytes_base64: "aGk=" })).body).toMatchObject({
      parts: [
        {
          kind: "attachment",
          fileName: "file",
          contentType: "application/octet-stream",
          source: { bytesBase64: "aGk=" },
        },
      ],
    });
    const named = attachment({ uri: "plasm://x", mime_type: "image/png", file_name: "a.png" });
    expect(value(one(v("file")), named).body).toMatchObject({
      parts: [{ fileName: "a.png", contentType: "image/png", source: { uri: "plasm://x" } }],
    });
  });

  test("of a list that is repeated each value is a part of its own, files and texts", () => {
    const repeated = (a: Json) =>
      value(
        { ...one(v("a")), multipart: [{ name: "part", content: v("a"), repeat: true }] },
        { a },
      );
    const part = { kind: "text", name: "part" };
    expect(repeated(["x", 2]).body).toEqual({
      format: "multipart",
      parts: [
        { ...part, text: "x" },
        { ...part, text: "2" },
      ],
    });
    const file = attachment({ bytes_base64: "aGk=", file_name: "a" })["file"] ?? null;
    expect(repeated([file, file]).body).toMatchObject({
      parts: [
        { kind: "attachment", name: "part" },
        { kind: "attachment", name: "part" },
      ],
    });
    expect(repeated("x").body).toMatchObject({ parts: [{ ...part, text: "x" }] });
  });

  test("no part left, a file_name on a scalar, an attachment without content are errors", () => {
    expect(errors(one(v("a")), {}, ["a"])).toEqual([["MAP-016", undefined]]);
    expect(errors(one(v("a"), { type: "const", value: "x" }), { a: "text" })).toEqual([
      ["MAP-016", "a"],
    ]);
    expect(errors(one(v("file")), attachment({ mime_type: "a/b" }))).toEqual([["MAP-016", "file"]]);
  });
});

test("all errors of a request are told at once", () => {
  const parts = { path: [segment("id")], query: fields("q"), headers: fields("h") };
  expect(errors(parts, { id: "", h: {} })).toEqual([
    ["MAP-012", "id"],
    ["MAP-003", "q"],
    ["MAP-014", "h"],
  ]);
});

test("a variable of GraphQL that is an object is left out where it has no member (MAP-025)", () => {
  const body = (query: string): Expression => ({
    type: "object",
    fields: [
      ["query", { type: "const", value: query }],
      [
        "variables",
        {
          type: "object",
          fields: [
            ["where", fields("name")],
            ["page", { type: "var", name: "page" }],
          ],
        },
      ],
    ],
  });
  const sent = (query: string, given: Record<string, Json>) =>
    value({ transport: "graphql", body: body(query) }, given, ["name", "page"]).body;
  const plain = "query($where: Filter, $page: Page) { boats }";
  const needed = "query($where: Filter!, $page: Page) { boats }";
  const json = (query: string, variables: Json) => ({
    format: "json",
    value: { query, variables },
  });
  expect(sent(plain, {})).toEqual(json(plain, {}));
  expect(sent(plain, { name: "x" })).toEqual(json(plain, { where: { name: "x" } }));
  expect(sent(needed, {})).toEqual(json(needed, { where: {} }));
  // What the program itself gives is sent.
  expect(sent(plain, { page: {} })).toEqual(json(plain, { page: {} }));
});

test("MAP-026: what query_numbered names is written with dots and numbers", () => {
  const query = fields("Tags", "Items", "Where", "Names", "n");
  const queryNumbered = new Map([
    ["Tags", { list: "Tag" }],
    ["Items", { list: "Item", flat: true }],
    ["Items/Parts", { flat: true, list: "Part" }],
    ["Where", {}],
    ["Where/near", { name: "Near" }],
    ["Names", { map: "entry" }],
  ] as const);
  const bindings = {
    Tags: [{ Key: "a", Values: ["x", "y"] }, { Key: "b" }],
    Items: [{ Name: "i", Parts: [{ at: 1 }] }],
    Where: { near: { lat: 1.5 }, open: true },
    Names: { "k.1": "v", k2: ["w"] },
    n: 1,
  };
  expect(value({ query, queryNumbered }, bindings).query).toEqual([
    ["Tags.Tag.1.Key", "a"],
    ["Tags.Tag.1.Values.member.1", "x"],
    ["Tags.Tag.1.Values.member.2", "y"],
    ["Tags.Tag.2.Key", "b"],
    ["Item.1.Name", "i"],
    ["Item.1.Part.1.at", "1"],
    ["Where.Near.lat", "1.5"],
    ["Where.open", "true"],
    ["Names.entry.1.key", "k.1"],
    ["Names.entry.1.value", "v"],
    ["Names.entry.2.key", "k2"],
    ["Names.entry.2.value.member.1", "w"],
    ["n", "1"],
  ]);
  expect(errors({ query, queryNumbered }, { ...bindings, Where: { open: null } })).toEqual([
    ["MAP-022", "Where"],
  ]);
});
