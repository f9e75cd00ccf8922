import { describe, expect, it } from "vitest";
import { catalogFromOpenApi } from "../catalog-from-open-api.ts";
import { answering, documentOf, object, text } from "../testing/made.ts";
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
});
