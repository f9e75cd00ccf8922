import { expect, it } from "vitest";
import { githubFrom, wholeDocument } from "./github-catalog.ts";

it("a catalog of all of GitHub's document loads without a word; ADR 0083 has its figures", async () => {
  const { diagnostics, operations, reached, entities, left } = await githubFrom(wholeDocument());
  expect(diagnostics).toEqual([]);
  const deprecated = left.filter((line) => line.endsWith(": it is deprecated")).length;
  expect({ operations, reached, entities: entities.length, deprecated }).toEqual({
    operations: 1223,
    reached: 1116,
    entities: 393,
    deprecated: 37,
  });
});
