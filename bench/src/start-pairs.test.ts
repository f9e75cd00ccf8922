import { fixtureCatalogDir } from "@plasm/testkit";
import { expect, test } from "vitest";
import { startPairs } from "./start-pairs.ts";

test("each start tells the five tools, and leaves nothing running", async () => {
  const { pairs, close } = startPairs(fixtureCatalogDir("quay"));
  try {
    for (const { ours, base } of pairs) {
      expect(await ours.run()).toBe(5);
      await ours.after?.();
      expect(await base.run()).toBe(0);
    }
  } finally {
    close();
  }
});
