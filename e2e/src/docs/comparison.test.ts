import { expect, it } from "vitest";
import { pageAt, proseOf } from "./pages.ts";

const numbersOf = (path: string): readonly string[] =>
  proseOf(pageAt(path)).match(/(?<![\w.,])\d+(?:,\d{3})*(?:\.\d+)?(?!\w)/g) ?? [];

it("docs/comparison.md: every figure stands in docs/benchmarks.md, which is made of bench/results", () => {
  const measured = new Set(numbersOf("docs/benchmarks.md"));
  const compared = numbersOf("docs/comparison.md");
  expect(compared.length).toBeGreaterThan(20);
  expect(compared.filter((one) => !measured.has(one))).toEqual([]);
});
