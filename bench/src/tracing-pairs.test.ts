import { expect, test } from "vitest";
import { measurePairs } from "./pair.ts";
import { tracingPairs } from "./tracing-pairs.ts";

/** Every answer has a snapshot of its own. */
const withoutNumbers = (text: unknown): string => String(text).replaceAll(/\/r\/\d+/g, "/r/n");

test("both sides answer the same, and spans are sent of one of them alone", async () => {
  const { pairs, exports, close } = await tracingPairs();
  try {
    for (const { ours, base } of pairs) {
      const before = exports();
      const traced = await ours.run();
      const plain = await base.run();
      expect(withoutNumbers(traced)).toContain("b1");
      expect(withoutNumbers(traced)).toBe(withoutNumbers(plain));
      // Turned off, it has sent all it had.
      const sent = exports();
      expect(sent).toBeGreaterThan(before);
      await base.run();
      expect(exports()).toBe(sent);
    }
  } finally {
    await close();
  }
});

test("they can be measured", async () => {
  const { pairs, exports, close } = await tracingPairs();
  try {
    const results = await measurePairs(pairs, { time: 0, iterations: 2 });
    expect(results.filter(({ ratio }) => ratio > 0)).toHaveLength(pairs.length);
    expect(exports()).toBeGreaterThan(0);
  } finally {
    await close();
  }
});
