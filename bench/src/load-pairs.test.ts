import { expect, test } from "vitest";
import { loadPairs } from "./load-pairs.ts";
import { longCatalog } from "./long-catalog.ts";
import { measurePairs } from "./pair.ts";

test("a long catalog has the lines it should", () => {
  const { lines } = longCatalog(5_000);
  expect(lines).toBeGreaterThanOrEqual(5_000);
  expect(lines).toBeLessThan(5_200);
});

test("both sides load the same catalog, and can be measured", async () => {
  const { pairs, close } = await loadPairs(60);
  try {
    for (const { ours, base } of pairs) {
      expect(entries(await ours.run())).toEqual(entries(await base.run()));
    }
    const [result] = await measurePairs(pairs, { time: 1, iterations: 3 });
    expect(result?.ratio).toBeGreaterThan(0);
  } finally {
    close();
  }
});

/** The one catalog that a registry holds. */
const entries = (registry: unknown): readonly unknown[] => {
  const list = (registry as { readonly list: () => readonly unknown[] }).list();
  expect(list).toHaveLength(1);
  return list;
};
