import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const dir = new URL("./", import.meta.url);
const files = readdirSync(dir).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
const WORDS = /\b(?:https?|graphql|evm|evm_call|evm_logs|transport|url|headers?|body)\b/i;

test("A14: the rendering layer names no transport", () => {
  // By name, for a count says nothing once files are merged: what writes rows, cells, types and notes is read.
  for (const name of [
    "row.ts",
    "cell.ts",
    "call-cells.ts",
    "entity-rows.ts",
    "relation-rows.ts",
    "taught-types.ts",
    "teach-wave.ts",
    "contract.ts",
  ])
    expect(files).toContain(name);
  const named = files.filter((name) => WORDS.test(readFileSync(new URL(name, dir), "utf8")));
  expect(named).toEqual([]);
});

test("A14: the words are found where they stand", () => {
  const policy = readFileSync(new URL("../policy/may-use.ts", dir), "utf8");
  expect(WORDS.test(policy)).toBe(true);
});
