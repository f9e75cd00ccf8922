import { globSync, readFileSync } from "node:fs";

const plans = "src/plan/**/*.test.ts";
const checks = "src/check/**/*.test.ts";

/** Folder of core's src → the tests that judge its mutants; any other test would only find more of them. */
export const testsOf = {
  language: [
    "src/language/**/*.test.ts",
    "src/plan/habits.test.ts",
    "src/plan/error-catalogue.test.ts",
  ],
  check: [checks, plans],
  plan: [plans],
  symbols: ["src/symbols/**/*.test.ts", "src/teaching/*.test.ts", plans],
};

/** What compares whole tables with golden files, or tries programs of up to 256 KB on every mutant. */
const leftOut = (file) =>
  file.endsWith("parse-robust.test.ts") ||
  readFileSync(file, "utf8").includes("toMatchFileSnapshot");

export const testFiles = (folder) =>
  testsOf[folder]
    .flatMap((glob) => globSync(glob))
    .filter((file) => !leftOut(file))
    .sort();
