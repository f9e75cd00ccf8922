import { all, append, write } from "../plant.mjs";

const planted = "packages/core/src/base/planted.ts";

/** Faults of size, and names that must or must not appear. */
export const sizeFaults = [
  {
    gate: "sizes",
    fault: "a file of 501 lines",
    plant: write(planted, "export const planted = 1;\n".padEnd(26 + 500, "\n")),
    names: /base\/planted\.ts: 501 lines, at most 500/,
  },
  {
    gate: "sizes",
    fault: "a function of 101 lines",
    plant: write(
      "packages/core/src/base/planted-function.ts",
      `export const planted = () => {\n${"  void 0;\n".repeat(99)}};\n`,
    ),
    names: /base\/planted-function\.ts:1 planted: 101 lines, at most 100/,
  },
  {
    gate: "sizes",
    fault: "a fragment more",
    plant: all(
      write("packages/core/src/base/planted-fragment.ts", "export const crumb = 1;\n"),
      append("packages/core/src/base/text.ts", 'export { crumb } from "./planted-fragment.ts";\n'),
    ),
    names:
      /fragments, at most \d+[^]*base\/planted-fragment\.ts, imported by packages\/core\/src\/base\/text\.ts alone/,
  },
  {
    gate: "vendor-names",
    fault: "a catalog's name in a package",
    plant: (root) => {
      write("catalogs/planted-api/domain.yaml", "version: 1\n")(root);
      write("packages/core/src/base/planted.test.ts", "// as Planted-API does\n")(root);
    },
    names: /base\/planted\.test\.ts:1: catalog name "planted-api"/,
  },
  {
    // What a registry knows is held by scripts/lib/advisories.test.mjs; the list is judged without one.
    gate: "advisories",
    fault: "an advisory that is accepted without a reason",
    plant: write("scripts/gates/advisories.json", '[{ "id": "GHSA-0000-0000-0000" }]\n'),
    names: /GHSA-0000-0000-0000.*give id .*reason .*until/,
  },
  {
    gate: "ids",
    fault: "a test that cites an id nobody wrote",
    plant: write(
      "packages/core/src/base/planted.test.ts",
      'import { expect, test } from "vitest";\n\ntest("C-999 and A99", () => {\n  expect(1).toBe(1);\n});\n',
    ),
    names: /C-999 does not exist[^]*A99 does not exist|A99 does not exist[^]*C-999 does not exist/,
  },
  {
    gate: "ids",
    fault: "a comment that cites a requirement nobody wrote",
    // In two pieces, or this file would cite it.
    plant: write("packages/core/src/base/planted.ts", `/** ${"RUN"}-999 */\n`),
    names: /RUN.999 does not exist, cited in packages\/core\/src\/base\/planted\.ts/,
  },
  {
    gate: "ids",
    fault: "a requirement that is defined twice",
    plant: write("docs/spec/planted.md", '<a id="RUN-050"></a>**RUN-050** again\n'),
    names: /RUN-050 is defined twice in docs\/spec/,
  },
];
