import { describe, expect, it } from "vitest";
import { foreignDemand } from "./references.ts";
import { answering, documentOf, list, madeOf, object, query, ref, text } from "../testing/made.ts";

const THERE = "https://example.com/common.yaml";
const there = (name: string) => ({ $ref: `${THERE}#/${name}` });
const id = { name: "id", in: "path", required: true, schema: text };
const get = answering(object({ id: text }), { parameters: [id] });
const good = { "/boats/{id}": { get } };

const ofPaths = (paths: object, more: object = {}) =>
  madeOf(documentOf({ ...good, ...paths }, more));

describe("21 a reference that leaves the document takes away only what needs it, and is told", () => {
  it.each<[string, string, object]>([
    ["a path", "/a: it", { "/a": there("path") }],
    ["an operation", "GET /a: it", { "/a": { get: there("get") } }],
    [
      "a parameter",
      "GET /a: a parameter of it",
      { "/a": { get: answering(list(object({ id: text })), { parameters: [there("limit")] }) } },
    ],
    [
      "the schema of a parameter that is demanded",
      "GET /a: a parameter of it",
      {
        "/a": {
          get: answering(list(object({ id: text })), {
            parameters: [query("q", there("q"), { required: true })],
          }),
        },
      },
    ],
    ["a body", "POST /a: its body", { "/a": { post: { requestBody: there("body") } } }],
    [
      "the schema of a body",
      "POST /a: its body",
      {
        "/a": {
          post: { requestBody: { content: { "application/json": { schema: there("A") } } } },
        },
      },
    ],
    [
      "a member of a body that is demanded",
      "POST /a: its body",
      {
        "/a": {
          post: {
            requestBody: {
              content: { "application/json": { schema: object({ a: there("A") }, ["a"]) } },
            },
          },
        },
      },
    ],
    ["an answer", "GET /a: what it answers", { "/a": { get: { responses: { 200: there("a") } } } }],
    [
      "the schema of an answer",
      "GET /a: what it answers",
      { "/a": { get: answering(there("A")) } },
    ],
    [
      "the rows of a list",
      "GET /a: what it answers",
      { "/a": { get: answering(list(there("A"))) } },
    ],
  ])("%s", async (_, said, paths) => {
    const { left, domain, diagnostics } = await ofPaths(paths);
    const name = JSON.stringify(paths).match(/common\.yaml#\/\w+/)?.[0] ?? "";
    const lines = left.filter((line) => !line.startsWith("the field "));
    expect(lines).toEqual([
      expect.stringMatching(
        /^1 reference to addresses: nothing is fetched that was not asked for \(https:\/\/example\.com\/common\.yaml\)\. .*redocly\/cli bundle/,
      ),
      `${said} stands in "https://example.com/${name}", which is not read`,
    ]);
    expect(diagnostics).toEqual([]);
    expect(Object.keys(domain.capabilities)).toEqual(["boat_get"]);
  });

  it("a field of rows, and an argument that may be left out, are not there; all else is", async () => {
    const boat = object({ id: text, name: text, berth: there("Berth") });
    const patch = {
      parameters: [id],
      requestBody: { content: { "application/json": { schema: ref("Boat") } } },
      responses: { 204: { description: "" } },
    };
    const { left, domain, mappings } = await madeOf(
      documentOf(
        { "/boats/{id}": { get: answering(ref("Boat"), { parameters: [id] }), patch } },
        { components: { schemas: { Boat: boat } } },
      ),
    );
    expect(Object.keys(domain.entities["Boat"]?.fields ?? {})).toEqual(["id", "name"]);
    expect(JSON.stringify(mappings)).not.toContain("berth");
    expect(left).toEqual([
      expect.stringMatching(/^1 reference to addresses/),
      'the field #/components/schemas/Boat/properties/berth: it stands in "https://example.com/common.yaml#/Berth", which is not read',
    ]);
  });

  it("a schema that only refers elsewhere takes away what uses it", async () => {
    const { left } = await ofPaths(
      { "/a": { get: answering(list(ref("A"))) }, "/b": { get: answering(ref("A")) } },
      { components: { schemas: { A: { $ref: "other.json#/A" } } } },
    );
    expect(left).toEqual([
      expect.stringMatching(/^1 reference to other files, which are not read.*\(other\.json\)\. /),
      'GET /a: what it answers stands in "other.json#/A", which is not read',
      'GET /b: what it answers stands in "other.json#/A", which is not read',
    ]);
  });

  it("a document of which nothing is left is refused with all of that", async () => {
    const paths = { "/a": there("path"), "/b": { $ref: "b.yaml" } };
    await expect(madeOf(documentOf(paths))).rejects.toThrow(
      /None of the 2 operations can be in a catalog:\n1 reference to addresses.*\n1 reference to other files.*\n\/a: it stands in .*\n\/b: /,
    );
  });

  it("answers of faults, examples and callbacks take nothing away", async () => {
    const made = await ofPaths({
      "/a": {
        get: {
          responses: {
            200: {
              description: "",
              content: {
                "application/json": { schema: list(object({ id: text })), example: there("x") },
              },
            },
            404: there("missing"),
          },
        },
      },
    });
    expect(made.left).toEqual([expect.stringMatching(/^1 reference to addresses/)]);
    expect(Object.keys(made.domain.capabilities)).toHaveLength(2);
  });

  it("schemas that demand each other to no end are looked through once", () => {
    const names = Array.from({ length: 300 }, (_, at) => `p${at}`);
    const schemas = Array.from({ length: 300 }, (): Record<string, unknown> => ({
      required: names,
    }));
    for (const schema of schemas)
      schema["properties"] = Object.fromEntries(names.map((name, at) => [name, schemas[at]]));
    expect(foreignDemand(schemas[0])).toBeNull();
    schemas[7] = { ...schemas[7], allOf: [there("A")] };
    expect(foreignDemand(schemas[7])).toBe(`${THERE}#/A`);
  });
});
