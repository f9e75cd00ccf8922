import { append, write } from "../plant.mjs";

const planted = "packages/core/src/base/planted.ts";
const file = (name) => `packages/core/src/base/planted-${name}.ts`;
const only = ["packages/core/src/base"];

/** Faults a look at one file can find: formatting, lint and types. */
export const codeFaults = [
  {
    gate: "regexes",
    fault: "an expression that hostile texts make slow",
    plant: write(file("slow"), "export const PLANTED = /\\[\\s*(\\d+)?\\s*\\]/y;\n"),
    names: /planted-slow\.ts:1: .* matches a run in several ways/,
  },
  {
    gate: "format",
    fault: "an unformatted file",
    plant: write(planted, "export const   planted = 1\n"),
    names: /base\/planted\.ts/,
  },
  {
    gate: "lint",
    narrow: only,
    fault: "export *",
    plant: write(file("star"), 'export * from "./clip.ts";\n'),
    names: /plasm\(no-export-all\)[^]*planted-star\.ts/,
  },
  {
    gate: "lint",
    narrow: only,
    fault: "a default export",
    plant: write(file("default"), "export default 1;\n"),
    names: /no-default-export[^]*planted-default\.ts/,
  },
  {
    gate: "lint",
    narrow: only,
    fault: "a floating promise",
    plant: write(
      file("floating"),
      "const later = async (): Promise<void> => {};\nexport const planted = (): void => {\n  later();\n};\n",
    ),
    names: /no-floating-promises[^]*planted-floating\.ts/,
  },
  {
    gate: "lint",
    narrow: only,
    fault: "any",
    plant: write(file("any"), "export const planted = (value: any): string => `${value}`;\n"),
    names: /no-explicit-any[^]*planted-any\.ts/,
  },
  {
    gate: "lint",
    narrow: only,
    fault: "a switch that forgets a case",
    plant: write(
      file("switch"),
      'export const planted = (word: "a" | "b"): void => {\n  switch (word) {\n    case "a":\n  }\n};\n',
    ),
    names: /switch-exhaustiveness-check[^]*planted-switch\.ts/,
  },
  {
    gate: "lint",
    narrow: only,
    fault: "a skipped test",
    plant: write(
      "packages/core/src/base/planted.test.ts",
      'import { expect, test } from "vitest";\n\ntest.skip("planted", () => {\n  expect(1).toBe(2);\n});\n',
    ),
    names: /no-disabled-tests[^]*planted\.test\.ts/,
  },
  {
    gate: "lint",
    narrow: only,
    fault: "501 lines",
    plant: write(
      file("long"),
      "export const planted = 1;\n".replace("1", `[\n${"  1,\n".repeat(499)}]`),
    ),
    names: /max-lines[^]*planted-long\.ts/,
  },
  {
    gate: "types",
    narrow: ["packages/core"],
    fault: "a type error",
    plant: write(planted, 'export const planted: number = "one";\n'),
    names: /base\/planted\.ts\(1,14\): error TS2322/,
  },
  {
    gate: "build",
    narrow: ["--filter", "@plasm/core"],
    fault: "an import that leads nowhere",
    plant: append("packages/core/src/index.ts", 'export { planted } from "./text/planted.ts";\n'),
    names: /planted/,
  },
];
