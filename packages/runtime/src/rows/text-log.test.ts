import fc from "fast-check";
import { expect, test } from "vitest";
import { RowMemory } from "../limits/row-memory.ts";
import { openShelf } from "./shelf.ts";
import { SeenTexts, TextLog } from "./text-log.ts";

const shelf = () => openShelf(new RowMemory().open(""), null);

test("18.6 a log gives its texts, wherever they are (fast-check)", () => {
  const texts = Array.from({ length: 9_000 }, (_none, at) => (at % 50 === 0 ? null : `t${at}`));
  const log = new TextLog(shelf(), texts);
  expect(log).toHaveLength(9_000);
  expect(log.slice()).toEqual(texts);
  fc.assert(
    fc.property(fc.nat(9_100), fc.nat(9_100), (from, to) => {
      expect(log.slice(from, to)).toEqual(texts.slice(from, to));
    }),
  );
});

test("PLAN-081 texts that were seen are told from others, few or many, in the order they came", () => {
  const seen = new SeenTexts(shelf());
  const own = new Set<string>();
  for (let at = 0; at < 60_000; at++) {
    const text = `Boat:${(at * 7_919) % 40_009}`;
    expect(seen.has(text)).toBe(own.has(text));
    seen.add(text);
    own.add(text);
  }
  expect(seen.size).toBe(own.size);
  expect(seen.texts()).toEqual([...own]);
  expect(seen.last).toBe([...own].at(-1));
  expect(new SeenTexts(shelf(), seen.texts()).texts()).toEqual([...own]);
  // Names that differ little are no others.
  expect(["Boat:", "Boat:40009", "boat:1", "Boat:1 ", ""].map((text) => seen.has(text))).toEqual([
    false,
    false,
    false,
    false,
    false,
  ]);
});
