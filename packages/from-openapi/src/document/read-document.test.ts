import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { catalogFromOpenApi } from "../catalog-from-open-api.ts";
import { answering, documentOf, madeOf, object, text } from "../testing/made.ts";
import { parseOpenApi } from "./parse-document.ts";

const boats = { "/boats/{id}": { get: answering(object({ id: text })) } };

describe("documents that are refused, with the reason", () => {
  it.each<[unknown, string]>([
    [
      { swagger: "2.0", paths: {} },
      'This is a Swagger "2.0" document; OpenAPI 3.0 and 3.1 are read.',
    ],
    [{ openapi: "3.2.0", paths: {} }, "This is no OpenAPI 3.0 or 3.1 document: openapi is 3.2.0."],
    [{ hello: 1 }, "it has no key openapi."],
    ["text", "This is no OpenAPI document: it is not a map."],
    [{ openapi: "3.1.0" }, "The document has no paths"],
    [documentOf({}), "The document has no operations."],
    [
      documentOf({ "/it{a}": { get: { responses: {} } } }),
      "None of the 1 operations can be in a catalog:\nGET /it{a}: ",
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
  expect(left.filter((line) => line.startsWith("GET /"))).toEqual([]);
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
