import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("../../../", import.meta.url);

interface Held {
  readonly item: string;
  readonly file: string;
  readonly test: string;
}

interface Tried {
  readonly item: string;
  readonly fault: string;
  /** in how many worlds it was sought; 0 before it was tried */
  readonly worlds: number;
  readonly found: string | null;
}

const read = (path: string): string => readFileSync(new URL(path, root), "utf8");
const { faults, elsewhere } = JSON.parse(read("bench/results/oracle-faults.json")) as {
  readonly faults: readonly Tried[];
  readonly elsewhere: readonly Held[];
};

test.each(elsewhere)("$item is held by a test that is there: $file", ({ file, test: title }) => {
  expect(read(file)).toContain(title);
});

test("the oracle finds each planted fault that was tried", () => {
  const missed = faults.filter(({ worlds, found }) => worlds > 0 && found === null);
  expect(missed.map(({ fault }) => fault)).toEqual([]);
});

test("each item of 17 is found by the oracle or held by a test", () => {
  const known = new Set([...faults, ...elsewhere].map(({ item }) => item));
  const items = Array.from({ length: 20 }, (_, at) => `17.${at + 1}`);
  expect(items.filter((item) => !known.has(item))).toEqual([]);
});
