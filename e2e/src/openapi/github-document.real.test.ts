import { expect, it } from "vitest";
import { githubFrom, wholeDocument } from "./github-catalog.ts";

it("a catalog of all of GitHub's document loads without a word; ADR 0083 has its figures", async () => {
  const { diagnostics, operations, reached, entities } = await githubFrom(wholeDocument());
  expect(diagnostics).toEqual([]);
  expect({ operations, reached, entities: entities.length }).toEqual({
    operations: 1223,
    reached: 1223,
    entities: 481,
  });
});
