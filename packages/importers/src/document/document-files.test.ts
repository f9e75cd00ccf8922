import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { catalogFromOpenApi } from "../catalog-from-open-api.ts";
import { OpenApiError } from "../open-api-error.ts";
import { joinDocumentFiles } from "./document-files.ts";
import { parseOpenApi } from "./parse-document.ts";

type Tree = Readonly<Record<string, string>>;

const HEAD = `openapi: 3.1.0
info: { title: Harbour, version: "1" }
servers: [{ url: https://api.example.com }]
`;

/** Joins a tree of files whose first is openapi.yaml; says which others were read. */
const joined = (tree: Tree) => {
  const read: string[] = [];
  const made = joinDocumentFiles(tree["openapi.yaml"] ?? "", {
    first: "openapi.yaml",
    read: (path) => {
      read.push(path);
      const text = tree[path];
      if (text === undefined) throw new OpenApiError("there is no such file");
      return text;
    },
  });
  return { ...made, read };
};

interface Domain {
  readonly entities: Readonly<Record<string, { fields: Readonly<Record<string, unknown>> }>>;
}

const catalogOf = async (tree: Tree) => {
  const { text } = joined(tree);
  const made = await catalogFromOpenApi(parseOpenApi(text), { entryId: "harbour" });
  return { ...made, domain: parse(made.domain) as Domain };
};

const TREE: Tree = {
  "openapi.yaml": `${HEAD}paths:
  /boats: { $ref: ./paths/boats.yaml }
  /boats/{id}: { $ref: "paths/boats.yaml#/x-one" }
components:
  schemas:
    Vessel: { $ref: schemas/boat.json }
`,
  "paths/boats.yaml": `get:
  parameters: [{ $ref: "../parameters.yaml#/limit" }]
  responses:
    "200":
      description: boats
      content: { application/json: { schema: { type: array, items: { $ref: ../schemas/boat.json } } } }
x-one:
  get:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    responses:
      "200": { description: a boat, content: { application/json: { schema: { $ref: "../openapi.yaml#/components/schemas/Vessel" } } } }
`,
  "parameters.yaml": "limit: { name: limit, in: query, schema: { type: integer } }\n",
  "schemas/boat.json": JSON.stringify({
    $id: "https://example.com/schemas/boat.json",
    type: "object",
    properties: {
      id: { type: "string" },
      berth: { $ref: "./berth.json" },
      sister: { $ref: "#/definitions/Sister" },
      mother: { $ref: "#" },
    },
    definitions: { Sister: { $ref: "boat.json" } },
    example: { $ref: "not-a-file.json" },
  }),
  "schemas/berth.json": JSON.stringify({
    type: "object",
    properties: { id: { type: "string" }, boat: { $ref: "boat.json" } },
  }),
};

describe("21 a document of several files is read whole", () => {
  it("with paths, parameters and schemas of other files, round and round", async () => {
    const { domain, operations, reached, left } = await catalogOf(TREE);
    expect([operations, reached, left]).toEqual([2, 2, []]);
    expect(Object.keys(domain.entities)).toEqual(["Vessel"]);
    expect(Object.keys(domain.entities["Vessel"]?.fields ?? {})).toEqual(
      expect.arrayContaining(["id", "berth"]),
    );
  });

  it("each file once, and nothing that an example names", () => {
    const { read, files } = joined(TREE);
    const others = Object.keys(TREE).filter((path) => path !== "openapi.yaml");
    expect(read.toSorted()).toEqual(others.toSorted());
    expect([...files.keys()].toSorted()).toEqual(others.toSorted());
  });

  it("schemas without a name in components have that of their file, no two the same", async () => {
    const list = (file: string) =>
      `{ get: { responses: { "200": { description: "", content: { application/json: { schema: { type: array, items: { $ref: ${file} } } } } } } } }`;
    const row = "type: object\nproperties: { id: { type: string }, NAME: { type: string } }\n";
    const { domain } = await catalogOf({
      "openapi.yaml": `${HEAD}paths:\n  /a: ${list("quay/crane.yaml")}\n  /b: ${list("shop/crane.yaml")}\n  /c: ${list("my%20crane.yaml")}\n`,
      "quay/crane.yaml": row.replace("NAME", "depth"),
      "shop/crane.yaml": row.replace("NAME", "price"),
      "my crane.yaml": row.replace("NAME", "reach"),
    });
    expect(Object.keys(domain.entities).toSorted()).toEqual(["Crane", "MyCrane", "ShopCrane"]);
  });

  it("Swagger 2.0, with bodies that stand in other files", async () => {
    const { reached, mappings } = await catalogOf({
      "openapi.yaml": `swagger: "2.0"
info: { title: Harbour, version: "1" }
host: api.example.com
paths: { /boats: { $ref: boats.yaml } }
definitions: { Boat: { $ref: "boat.yaml#/Boat" } }
`,
      "boats.yaml": `post:
  parameters: [{ $ref: "boat.yaml#/body" }]
  responses: { "201": { $ref: "boat.yaml#/made" } }
`,
      "boat.yaml": `Boat: { type: object, properties: { id: { type: string }, note: { type: string } } }
body: { in: body, name: boat, required: true, schema: { $ref: "openapi.yaml#/definitions/Boat" } }
made: { description: it, schema: { $ref: "#/Boat" } }
`,
    });
    expect(reached).toBe(1);
    expect(mappings).toContain("note");
  });

  it("a document of another kind stays as it is, whatever its references are", () => {
    const text = JSON.stringify({
      kind: "discovery#restDescription",
      schemas: { Spec: { properties: { openapi: { $ref: "Document" } } } },
    });
    const place = { first: "discovery.json", read: null };
    expect(joinDocumentFiles(text, place).text).toBe(text);
  });

  it("a document of one file stays as it is", () => {
    const text = `${HEAD}paths: { /a: { get: { responses: { "200": { $ref: "#/components/responses/A" } } } } }`;
    expect(joinDocumentFiles(text, { first: "openapi.yaml", read: null })).toEqual({
      text,
      files: new Map(),
    });
  });
});

describe("21 nothing is read that was not asked for, and each refusal says where and what to do", () => {
  const referring = (reference: string): Tree => ({
    "openapi.yaml": `${HEAD}paths:\n  /a/{id}: { $ref: ${JSON.stringify(reference)} }\n`,
  });
  const BESIDE = '  /b: { get: { responses: { "200": { description: "" } } } }\n';

  it.each([
    ["../other.yaml", "other files"],
    ["a/../../other.yaml", "other files"],
    ["..\\other.yaml", "other files"],
    ["%2e%2e/other.yaml", "other files"],
    ["/etc/passwd", "what is not a path from its own file"],
    ["C:\\boot.ini", "what is not a path from its own file"],
    ["file:///etc/passwd", "what is not a path from its own file"],
    ["http://127.0.0.1/boat.yaml", "addresses"],
    ["//example.com/boat.yaml", "addresses"],
    ["a.yaml?x=1", "what is not a path from its own file"],
    ["a%00.yaml", "what is not a path from its own file"],
  ])("%s", async (reference, what) => {
    const { "openapi.yaml": text = "" } = referring(reference);
    const tree = { "openapi.yaml": `${text}${BESIDE}` };
    expect(joined(tree).read).toEqual([]);
    const { reached, operations, left } = await catalogOf(tree);
    expect([reached, operations]).toEqual([1, 2]);
    expect(left).toEqual([
      expect.stringMatching(new RegExp(`^1 reference to ${what}.*redocly/cli bundle`)),
      `/a/{id}: it stands in ${JSON.stringify(reference)}, which is not read`,
    ]);
    await expect(catalogOf(referring(reference))).rejects.toThrow(
      new RegExp(
        `None of the 1 operations.*1 reference to ${what}.*/a/\\{id\\}: it stands in`,
        "s",
      ),
    );
  });

  it("of a document that is no file, no other file, but what names itself", () => {
    const { "openapi.yaml": text = "" } = referring("./boats.yaml");
    const place = { first: "https://example.com/v1/openapi.yaml", read: null };
    expect(joinDocumentFiles(text, place)).toEqual({ text, files: new Map() });
    const { "openapi.yaml": own = "" } = referring("openapi.yaml#/x");
    const { text: whole, files } = joinDocumentFiles(`${own}x: {}\n`, place);
    expect([whole.includes('{"$ref":"#/x"}'), files.size]).toEqual([true, 0]);
  });

  it("what a file of the document refers to elsewhere is told with the file's name", async () => {
    const { left } = await catalogOf({
      "openapi.yaml": `${HEAD}paths: { "/boats/{id}": { $ref: boats.yaml } }\n`,
      "boats.yaml": `get:
  responses:
    "200":
      description: a boat
      content: { application/json: { schema: { type: object, properties: { id: { type: string }, berth: { $ref: "https://example.com/berth.json" } } } } }
`,
    });
    expect(left).toEqual([
      expect.stringMatching(/^1 reference to addresses/),
      'the field boats.yaml#/get/responses/200/content/application~1json/schema/properties/berth: it stands in "https://example.com/berth.json", which is not read',
    ]);
  });

  it("a file that is missing or broken, and a place that is in none", () => {
    expect(() => joined(referring("boats.yaml"))).toThrow(
      'openapi.yaml#/paths/~1a~1{id} refers to "boats.yaml": there is no such file',
    );
    expect(() => joined({ ...referring("boats.yaml"), "boats.yaml": "get: {" })).toThrow(
      /boats\.yaml: The document is neither JSON nor YAML/,
    );
    expect(() => joined({ ...referring("boats.yaml#/c"), "boats.yaml": "b: {}" })).toThrow(
      'refers to "boats.yaml#/c": boats.yaml has nothing at #/c',
    );
    expect(() => joined({ ...referring("boats.yaml#c"), "boats.yaml": "b: {}" })).toThrow(
      'refers to "boats.yaml#c": "#c" is not a pointer',
    );
  });

  it("files without end, and more text than is read", () => {
    let count = 0;
    const endless = (text: string) =>
      joinDocumentFiles(referring("f0.yaml")["openapi.yaml"] ?? "", {
        first: "openapi.yaml",
        read: () => text.replace("NEXT", `f${(count += 1)}.yaml`),
      });
    expect(() => endless('{"get": {"$ref": "NEXT"}}')).toThrow(
      /more than 5000 files.*--only|bundle/s,
    );
    expect(() => endless(`{"a": "${"x".repeat(30_000_000)}", "get": {"$ref": "NEXT"}}`)).toThrow(
      /more than 100000000 characters/,
    );
  });

  it("Swagger 2.0 whose parts would be more than is read when each stands in its place", () => {
    const paths = Array.from({ length: 4_000 }, (_, n) => `"/p${n}":{"$ref":"big.json"}`);
    const big = { get: { summary: "x".repeat(60_000), responses: {} } };
    expect(() =>
      joined({
        "openapi.yaml": `{"swagger":"2.0","info":{},"paths":{${paths.join(",")}}}`,
        "big.json": JSON.stringify(big),
      }),
    ).toThrow(/more than 100000000 characters/);
  });

  it("references that are made of nothing but each other", () => {
    const tree = { ...referring("a.yaml"), "a.yaml": "$ref: b.yaml", "b.yaml": "$ref: a.yaml" };
    expect(() => joined(tree)).not.toThrow();
  });
});
