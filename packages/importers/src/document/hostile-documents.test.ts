import { leastCpu } from "@plasm/testkit";
import { describe, expect, it } from "vitest";
import { catalogFromOpenApi } from "../catalog-from-open-api.ts";
import { answering, documentOf, object, text } from "../testing/made.ts";
import { documentFaults } from "./document-faults.ts";
import { parseOpenApi } from "./parse-document.ts";

const made = (document: unknown) => catalogFromOpenApi(document, { entryId: "x" });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const boat = { "/boats/{id}": { get: answering(ref("S0")) } };
const LETTERS = [..."abcdefghij"];

/** Schemas of which each leads to the next ten times over: written out they are 10^levels. */
const levels = (most: number, of: (next: object) => object) => {
  const all = Array.from({ length: most }, (_, n) => [`S${n}`, of(ref(`S${n + 1}`))] as const);
  return Object.fromEntries([...all, [`S${most}`, object({ id: text })]]);
};

describe("18.19 hostile OpenAPI documents end, with a result or a reason", () => {
  it.each<[string, object]>([
    [
      "properties that fan out",
      levels(30, (next) => object(Object.fromEntries(LETTERS.map((name) => [name, next])))),
    ],
    ["parts that fan out", levels(30, (next) => ({ allOf: LETTERS.map(() => next) }))],
    ["a long chain of schemas", levels(5_000, (next) => object({ id: text, next }))],
  ])("%s", async (_, schemas) => {
    const { reached } = await made(documentOf(boat, { components: { schemas } }));
    expect(reached).toBe(1);
  });

  it.each<[string, (next: object) => object]>([
    [
      "a parameter",
      (schema) => ({ parameters: [{ name: "a", in: "query", style: "deepObject", schema }] }),
    ],
    ["a body", (schema) => ({ requestBody: { content: { "application/json": { schema } } } })],
    [
      "a form",
      (schema) => ({
        requestBody: { content: { "application/x-www-form-urlencoded": { schema } } },
      }),
    ],
  ])("%s of a thousand members, each of a thousand, and so on", async (_, taking) => {
    const names = Array.from({ length: 1_000 }, (_n, at) => `p${at}`);
    const schemas = levels(6, (next) => object(Object.fromEntries(names.map((n) => [n, next]))));
    const post = { ...taking(ref("S0")), responses: { "204": { description: "" } } };
    const paths = { ...boat, "/boats/{id}/it": { post } };
    const { reached, domain } = await made(documentOf(paths, { components: { schemas } }));
    expect(reached).toBe(2);
    expect(domain.length).toBeLessThan(400_000);
  });

  it("Swagger 2.0 that is deep, or leads round", async () => {
    const definitions = {
      ...levels(3_000, (next) => object({ id: text, next })),
      Round: { allOf: [{ $ref: "#/definitions/Round" }] },
    };
    const swagger = JSON.parse(
      JSON.stringify({
        swagger: "2.0",
        info: { title: "Harbour", version: "1" },
        host: "api.example.com",
        definitions,
        paths: {
          "/boats/{id}": {
            get: { responses: { 200: { description: "", schema: ref("S0") } } },
            put: { responses: { 200: { description: "", schema: ref("Round") } } },
          },
        },
      }).replaceAll("#/components/schemas/", "#/definitions/"),
    ) as object;
    const { reached } = await made(swagger);
    expect(reached).toBe(2);
  });

  it.each([
    ["swagger", "2.0"],
    ["openapi", "3.1.0"],
  ])("%s that is nested without end, or leads back to itself", async (key, version) => {
    const nested = (times: number) =>
      Array.from({ length: times }).reduce<object>((inner) => object({ inner }), {});
    const of = (schema: object) => ({
      [key]: version,
      info: { title: "Harbour", version: "1" },
      definitions: { S0: schema },
      components: { schemas: { S0: schema } },
      paths: boat,
    });
    const { operations } = await made(of(nested(200)));
    expect(operations).toBe(1);
    const round: Record<string, unknown> = { type: "object" };
    round["properties"] = { round, again: { round } };
    for (const schema of [nested(20_000), round])
      await expect(made(of(schema))).rejects.toThrow(
        /leads back to itself, or has more than 500 levels/,
      );
  });

  it("schemas that are made of each other", async () => {
    const schemas = {
      S0: { allOf: [ref("S0"), ref("S1")] },
      S1: { oneOf: [ref("S0"), ref("S1")] },
    };
    const { operations } = await made(documentOf(boat, { components: { schemas } }));
    expect(operations).toBe(1);
  });

  it("more paths than a catalog has: how many, and how to name some", async () => {
    const get = answering(object({ id: text }));
    const paths = Array.from({ length: 20_000 }, (_, n) => [`/p${n}/{id}`, { get }] as const);
    await expect(made(documentOf(Object.fromEntries(paths)))).rejects.toThrow(
      /has 20000 operations; .*at most 5000.*--only/,
    );
  });

  it("a bomb of aliases", () => {
    const list = (of: string) => `[${Array.from({ length: 9 }, () => of).join(",")}]`;
    const lines = Array.from({ length: 12 }, (_, n) =>
      n === 0 ? `a0: &a0 ${list("x")}` : `a${n}: &a${n} ${list(`*a${n - 1}`)}`,
    );
    expect(() => parseOpenApi(lines.join("\n"))).toThrow("Excessive alias count");
  });

  it("YAML with many keys in one map is read once, and a key that stands twice is told", () => {
    const keys = Array.from({ length: 30_000 }, (_, n) => `k${n}: 1`);
    expect(Object.keys(parseOpenApi(keys.join("\n")) as object)).toHaveLength(30_000);
    expect(() => parseOpenApi([...keys, "k7: 2"].join("\n"))).toThrow(
      "The document has the key k7 twice in one map: 30001:1.",
    );
  });

  it.each([
    [`a: ${"x".repeat(8_000_001)}`, "are read as YAML. As JSON up to 100000000 are"],
    [`{"a": "${"x".repeat(100_000_001)}"}`, "at most 100000000 are read as JSON"],
  ])("more than is read", (written, said) => {
    expect(() => parseOpenApi(written)).toThrow(said);
  });

  it.each(['{"a":'.repeat(100_000), `a: ${"[".repeat(100_000)}`])("nesting without end", (text) => {
    expect(() => parseOpenApi(text)).toThrow("The document is neither JSON nor YAML");
  });

  it.each([600, 1_500, 3_500])("YAML of %i block levels", async (deep) => {
    const nested = Array.from({ length: deep }, (_, n) => `${" ".repeat(n + 1)}a:`).join("\n");
    const read = async () => made(parseOpenApi(`openapi: 3.0.0\npaths:\n${nested} 1`));
    await expect(read()).rejects.toThrow("more than 500 levels");
  });
});

/** A document of one path that takes so many parameters, in the form of a version. */
const taking = (version: "2.0" | "3.0", most: number, again = 0) => {
  const typed = version === "2.0" ? { type: "string" } : { schema: text };
  const parameters = Array.from({ length: most + again }, (_, n) => ({
    name: `p${n % most}`,
    in: "query",
    ...typed,
  }));
  const get = { parameters, responses: { "200": { description: "" } } };
  const head = version === "2.0" ? { swagger: "2.0" } : { openapi: "3.0.0" };
  return { ...head, info: { title: "Harbour", version: "1" }, paths: { "/boats": { get } } };
};

describe("18.19 a path with thousands of parameters", () => {
  it.each(["2.0", "3.0"] as const)("%s takes time by their number", (version) => {
    const check = (most: number) => {
      const document = taking(version, most);
      return () => expect(documentFaults(document)).toEqual([]);
    };
    check(1)();
    const { large, most } = leastCpu(check(2_000), check(8_000), (few) => 8 * few + 50);
    expect(large).toBeLessThan(most);
  });

  it.each(["2.0", "3.0"] as const)("%s, one of them twice, is told", (version) => {
    expect(documentFaults(taking(version, 3, 1))).toEqual([
      "/paths/~1boats/get/parameters must NOT have duplicate items",
    ]);
  });
});
