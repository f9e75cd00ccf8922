import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { catalogFromOpenApi } from "../catalog-from-open-api.ts";
import { answering, documentOf, list, madeOf, object, text } from "../testing/made.ts";
import { parseOpenApi } from "./parse-document.ts";

const boats = { "/boats/{id}": { get: answering(object({ id: text })) } };

describe("documents that are refused, with the reason", () => {
  it.each<[unknown, string]>([
    [{ openapi: "4.0.0", paths: {} }, "its version is 4.0.0. Give an OpenAPI document of 3.0, 3.1"],
    [{ hello: 1 }, "it has no key openapi. Give an OpenAPI document"],
    [{ swaggerVersion: "1.2", apis: [] }, "it is Swagger 1. Convert it"],
    [{ asyncapi: "3.0.0", channels: {} }, "it is an AsyncAPI document, which describes messages."],
    [{ log: { version: "1.2", entries: [] } }, "it is a HAR file, a record of requests."],
    [
      { info: { schema: "https://schema.getpostman.com/json/collection/v2.1.0/" }, item: [] },
      "it is a Postman collection.",
    ],
    [{ data: { __schema: {} } }, "it is the introspection result of a GraphQL API."],
    [{ kind: "discovery#directoryList" }, "it is a list of Google discovery documents."],
    [{ overlay: "1.0.0", actions: [] }, "it is an overlay, which changes a document."],
    [{ $schema: "https://json-schema.org/draft/2020-12/schema" }, "it is a JSON schema."],
    [
      { swagger: "2.0", paths: { "/a": { get: { parameters: [{ name: "a" }] } } } },
      "This Swagger 2.0 document cannot be converted to OpenAPI 3.0: ",
    ],
    ["text", "This is no OpenAPI document: it is not a map."],
    [{ openapi: "3.1.0" }, "The document has no paths"],
    [documentOf({}), "The document has no operations."],
    [
      documentOf({ "/it{a": { get: { responses: {} } } }),
      "None of the 1 operations can be in a catalog:\nGET /it{a: ",
    ],
  ])("%j", async (document, message) => {
    await expect(catalogFromOpenApi(document, { entryId: "x" })).rejects.toThrow(message);
  });

  it("operations that nothing is named by: what there is", async () => {
    const tagged = { "/boats/{id}": { get: { ...answering(object({ id: text })), tags: ["x"] } } };
    const only = ["/boot", "y"];
    const begun = (document: unknown) => catalogFromOpenApi(document, { entryId: "x", only });
    await expect(begun(documentOf(tagged))).rejects.toThrow(
      "The document has no operations of /boot, y. Its paths begin with /boats; its tags are x.",
    );
    await expect(begun(documentOf(boats))).rejects.toThrow("begin with /boats.");
    const many = Array.from({ length: 22 }, (_, index) => [`/p${index}`, {}]);
    await expect(begun(documentOf(Object.fromEntries(many)))).rejects.toThrow(", +2.");
  });

  it("and an id that no catalog may have (CAT-016)", async () => {
    await expect(catalogFromOpenApi(documentOf(boats), { entryId: "My API" })).rejects.toThrow(
      '"My API" is no id of a catalog',
    );
  });

  it.each([
    ["{ a: b", "The document is neither JSON nor YAML: 1:"],
    ["a: [\n", "The document is neither JSON nor YAML: 2:1:"],
    ["a: *b", "The document is no YAML that can be read:"],
    [" \n", "The document is empty"],
    ["<!DOCTYPE html><html><body>Hello", "This is a page of HTML, not an OpenAPI document. Give"],
    [
      '<html><script>ui({ url: "/v2/swagger.json" })</script>',
      'a page of HTML, not an OpenAPI document. It names "/v2/swagger.json"',
    ],
    ['<?xml version="1.0"?><definitions/>', "This is XML; OpenAPI documents are JSON or YAML."],
    ['{"openapi": "3.1.0", "paths": {"/a', "It begins as JSON and ends in the middle"],
  ])("%j is no document", (written, message) => {
    expect(() => parseOpenApi(written)).toThrow(message);
  });

  it.each(['{"a":1}', "a: 1", '\uFEFF{"a":1}', "{ a: 1 }"])("%j is one", (written) => {
    expect(parseOpenApi(written)).toEqual({ a: 1 });
  });
});

it("faults of a document are told, and what of it can be read is", async () => {
  const document = documentOf(boats, { info: { title: "No version" } });
  const { left, domain } = await madeOf(document, { validate: true });
  expect(left).toEqual([expect.stringMatching(/^the document: .*version/)]);
  expect(Object.keys(domain.capabilities)).toEqual(["boat_get"]);
});

describe("other versions", () => {
  const boat = object({ id: text, name: text }, ["id"]);
  const swagger = {
    swagger: "2.0",
    info: { title: "Harbour", version: "1" },
    host: "api.example.com",
    basePath: "/v2",
    schemes: ["https"],
    consumes: ["application/json"],
    produces: ["application/json"],
    securityDefinitions: { key: { type: "apiKey", in: "header", name: "X-Key" } },
    security: [{ key: [] }],
    parameters: { Tags: { name: "tags", in: "query", type: "array", items: { type: "string" } } },
    definitions: { Boat: boat },
    paths: {
      "/boats": {
        get: {
          parameters: [{ $ref: "#/parameters/Tags" }],
          responses: {
            "200": { description: "", schema: list({ $ref: "#/definitions/Boat" }) },
          },
        },
        post: {
          parameters: [
            { name: "boat", in: "body", required: true, schema: { $ref: "#/definitions/Boat" } },
          ],
          responses: { "201": { description: "", schema: { $ref: "#/definitions/Boat" } } },
        },
      },
      "/boats/{id}": {
        get: {
          parameters: [{ name: "id", in: "path", required: true, type: "string" }],
          responses: { "200": { description: "", schema: { $ref: "#/definitions/Boat" } } },
        },
      },
      "/boats/{id}/photo": {
        post: {
          consumes: ["multipart/form-data"],
          parameters: [
            { name: "id", in: "path", required: true, type: "string" },
            { name: "photo", in: "formData", required: true, type: "file" },
          ],
          responses: { "204": { description: "" } },
        },
      },
    },
  };

  it.each([swagger, { ...swagger, swagger: 2 }])("Swagger 2.0", async (document) => {
    const { domain, mappings, left, diagnostics } = await madeOf(document, {
      validate: document.swagger === "2.0",
    });
    expect(diagnostics).toEqual([]);
    expect(left).toEqual([]);
    expect(domain).toMatchObject({
      http_backend: "https://api.example.com/v2",
      auth: { scheme: "api_key_header", header: "X-Key", env: "HARBOUR_KEY" },
    });
    expect(Object.keys(domain.entities)).toEqual(["Boat"]);
    expect(Object.keys(domain.capabilities).toSorted()).toEqual([
      "boat_create",
      "boat_get",
      "boat_photo",
      "boat_query",
    ]);
    // Swagger joins a list by commas where it says nothing.
    expect(mappings["boat_query"]?.["query"]).toEqual({
      type: "object",
      fields: [["tags", { type: "join", sep: ",", expr: { type: "var", name: "tags" } }]],
    });
    expect(mappings["boat_photo"]).toMatchObject({ body_format: "multipart" });
  });

  it("faults of Swagger 2.0 are told by its own rules", async () => {
    const { left } = await madeOf({ ...swagger, info: { title: "H" } }, { validate: true });
    expect(left).toEqual([expect.stringMatching(/^the document: \/info .*version/)]);
  });

  it("OpenAPI 3.2: what it adds to 3.1 and no mapping can say is told", async () => {
    const responses = { "200": { description: "ok" } };
    const paths = {
      ...boats,
      "/boats": { query: { responses }, additionalOperations: { COPY: { responses } } },
    };
    const { left, domain } = await madeOf(documentOf(paths, { openapi: "3.2.0" }), {
      validate: true,
    });
    expect(Object.keys(domain.capabilities)).toEqual(["boat_get"]);
    expect(left).toEqual([
      "COPY /boats: a mapping has no such method",
      "QUERY /boats: a mapping has no such method",
    ]);
  });
});

it("nothing is fetched, and no file is read", async () => {
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const elsewhere = { $ref: `http://127.0.0.1:${port}/boat.json` };
  const file = { $ref: "./package.json" };
  const paths = { ...boats, "/a": { get: answering(elsewhere) }, "/b": { get: answering(file) } };
  const { left } = await madeOf(documentOf(paths), { validate: true });
  await new Promise((resolve) => server.close(resolve));
  expect(asked).toEqual([]);
  const lines = left.filter((line) => line.startsWith("GET /"));
  expect(lines).toEqual([
    expect.stringContaining("GET /a: what it answers stands in"),
    expect.stringContaining("GET /b: what it answers stands in"),
  ]);
});

it("references lead on through others, and may lead back to where they are", async () => {
  const schemas = {
    Boat: { type: "object", properties: { id: text, twin: { $ref: "#/components/schemas/Ship" } } },
    Ship: { $ref: "#/components/schemas/Boat" },
    Round: { $ref: "#/components/schemas/Again" },
    Again: { $ref: "#/components/schemas/Round" },
  };
  const paths = {
    "/boats/{id}": { get: answering({ $ref: "#/components/schemas/Ship" }) },
    "/round": { get: answering({ $ref: "#/components/schemas/Round" }) },
  };
  const { domain, left, diagnostics } = await madeOf(
    documentOf(paths, { components: { schemas } }),
  );
  expect(diagnostics).toEqual([]);
  expect(domain.entities["Boat"]?.fields).toMatchObject({
    twin: { value_ref: "boat", path: ["twin", "id"] },
  });
  expect(left).toEqual([]);
  expect(domain.entities["Round"]?.fields).toEqual({ answer: { value_ref: "free", path: [] } });
});

it("the document that was given is not changed", async () => {
  const document = documentOf(boats, { components: { schemas: { Boat: object({ id: text }) } } });
  const before = JSON.stringify(document);
  await madeOf(document, { validate: true });
  expect(JSON.stringify(document)).toBe(before);
});

describe("a document that may be changed (ADR 0221)", () => {
  const boat = {
    type: "object",
    properties: { id: text, name: { $ref: "#/components/schemas/Name" } },
  };
  const said = (description: string) =>
    JSON.stringify(
      documentOf(
        { "/boats/{id}": { get: { description: "D", ...answering(boat) } } },
        { components: { schemas: { Name: { ...text, description: "N" } } } },
      ),
    ).replace('"N"', description);
  const options = { entryId: "harbour" };

  it.each([
    ["plain", '"its name"'],
    ["with whole pairs of characters", String.raw`"its name \ud83d\ude00"`],
    ["with half a pair of characters", String.raw`"its name \ud83d"`],
  ])("%s gives the same catalog as one that may not, which stays as it is", async (_what, name) => {
    const kept = parseOpenApi(said(name));
    const before = structuredClone(kept);
    const made = await catalogFromOpenApi(kept, options);
    expect(kept).toEqual(before);
    expect(
      await catalogFromOpenApi(parseOpenApi(said(name)), { ...options, consume: true }),
    ).toEqual(made);
  });

  it("that was not made of JSON text is copied all the same", async () => {
    const kept = JSON.parse(said('"its name"')) as object;
    const before = structuredClone(kept);
    await catalogFromOpenApi(kept, { ...options, consume: true });
    expect(kept).toEqual(before);
  });
});
