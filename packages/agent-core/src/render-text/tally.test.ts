import fc from "fast-check";
import { expect, test } from "vitest";
import { costWithin } from "./cost-within.ts";
import { layoutResult } from "./layout.ts";
import { Tally } from "./tally.ts";
import { tokenCounter } from "./tokens.ts";

const aText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.string({ minLength: 500, maxLength: 1_100 }),
  fc.constantFrom(
    "",
    "a".repeat(600),
    `${"a".repeat(511)}\u{1f6a2}`,
    "\ud800".repeat(513),
    "\t \n",
  ),
);

test("SURF-12 a tally takes what counting each text takes, and comes to the same", async () => {
  const count = await tokenCounter();
  fc.assert(
    fc.property(
      fc.array(aText, { maxLength: 12 }),
      fc.nat(900),
      fc.nat(2),
      (texts, budget, least) => {
        const tally = new Tally(budget, count);
        let tokens = 0;
        for (const [at, text] of texts.entries()) {
          const cost = costWithin(text, Math.max(0, budget - tokens), count);
          const fits = tokens + cost <= budget || at < least;
          expect(tally.take(text, at < least)).toBe(fits);
          if (fits) tokens += cost;
        }
        expect(tally.tokens).toBe(tokens);
      },
    ),
  );
});

test("what surely fits is counted when somebody asks", async () => {
  const exact = await tokenCounter();
  let counted = 0;
  const count = (text: string): number => {
    counted += 1;
    return exact(text);
  };
  const rows = Array.from({ length: 40 }, (_none, at) => ({ id: `b${at}`, name: "Alma" }));
  const layout = layoutResult({ columns: ["id", "name"], keys: ["id"], rows }, 4_000, count);
  expect([layout.shown, counted]).toEqual([40, 0]);
  const lines = [layout.header, ...layout.lines.map((line) => `${line}\n`)];
  expect(layout.tokens).toBe(lines.reduce((sum, line) => sum + exact(line), 0));
  expect(counted).toBe(41);
});
