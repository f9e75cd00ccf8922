import type { Row } from "@plasm/runtime";
import { expect, test } from "vitest";
import { measureInTurn, measurePairs } from "./pair.ts";
import { largeRowPairs, rowPairs } from "./row-pairs.ts";

/** What both sides make of many rows they make of few. */
const FEW = { joined: 2_000, valued: 2_000 };

const NAMES = ["sort by numbers", "sort by text", "group", "exact sum", "join", "value"];

/** What a side made, in one form: ids of whole rows, cells of others, or a plain value. */
function plain(made: unknown): unknown {
  if (Array.isArray(made)) return made.map(plain);
  if (typeof made !== "object" || made === null) return made;
  if (!("cells" in made)) return made;
  const { base, cells } = made as Row;
  return base?.identity?.text ?? Object.fromEntries(cells ?? []);
}

test("both sides of each pair of rows make the same", () => {
  for (const { name, ours, base } of [...rowPairs(), ...largeRowPairs(FEW)]) {
    const [own, hand] = [plain(ours.run()), plain(base.run())];
    expect(own, name).toEqual(name === "exact sum" ? { t: hand } : hand);
  }
});

test("they can be measured", async () => {
  const results = [
    ...(await measurePairs(rowPairs(), { time: 0, iterations: 2 })),
    ...measureInTurn(largeRowPairs(FEW), 2),
  ];
  expect(results.filter(({ ratio }) => ratio > 0).map(({ name }) => name)).toEqual(NAMES);
});
