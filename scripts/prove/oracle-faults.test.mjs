import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../lib/workspace.mjs";
import { oracleFaults } from "./oracle-faults.mjs";

test.each(oracleFaults)("$item can be planted still: $fault", ({ file, old }) => {
  expect(readFileSync(join(root, file), "utf8").split(old)).toHaveLength(2);
});
