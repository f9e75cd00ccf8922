import { describe, expect, test } from "vitest";
import { buildCatalog } from "../../../test/build-catalog.ts";
import { exposureOf } from "../../../test/exposure-of.ts";
import { planOf } from "../../../test/plan-of.ts";
import { swept } from "../../../test/swept.ts";
import { tableLines, teach } from "../../../test/teach.ts";

const literal = (value: string): object => ({ type: "literal", value });
const films = buildCatalog("films", {
  entities: {
    Film: {
      fields: { id: "int", name: "str" },
      relations: {
        likes: {
          target: "Film",
          cardinality: "many",
          materialize: { kind: "query_scoped", capability: "film_like", param: "id" },
        },
      },
    },
  },
  capabilities: {
    film_query: { kind: "query", entity: "Film" },
    film_like: {
      kind: "query",
      entity: "Film",
      params: { id: "int" },
      roles: { id: "scope" },
      mapping: {
        method: "GET",
        path: [literal("films"), { type: "var", name: "id" }, literal("like")],
      },
    },
    film_get: { kind: "get", entity: "Film" },
  },
});
const exposure = exposureOf([films]);

const capabilities = (program: string): readonly unknown[] =>
  planOf(program, exposure).nodes.map((node) => ("capability" in node ? node.capability : null));

describe("17.3 LANG-027: a scope that is called like the key of the rows it gives is not their key", () => {
  test.each([
    ["Film{id=1}", ["film_get"]],
    ["Film{id in [1, 3]}", ["film_get"]],
    ["Film{id=1, name=x}", ["film_get"]],
    ["Film.like(id=1)", ["film_like"]],
    ["Film(1).likes", ["film_like"]],
  ])("%s", (program, used) => {
    expect(capabilities(program)).toEqual(expect.arrayContaining(used));
    expect(capabilities(program)).not.toContain(
      used[0] === "film_get" ? "film_like" : "film_query",
    );
  });

  test("TEACH-17 and so it is taught by its label", () => {
    const catalogs = new Map([["films", films]]);
    const calls = [[["films", "Film"] as const]];
    const { waves } = teach(catalogs, calls, { notation: "names" });
    expect(tableLines(waves[0])).toContain("Film.like(id=$)  [Film]");
    for (const notation of ["names", "symbols"] as const) {
      expect(swept(catalogs, calls, notation).faults).toEqual([]);
    }
  });
});
