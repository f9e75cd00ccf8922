import { join } from "node:path";
import { root } from "./versions.mjs";

/**
 * The tasks `scripts/boot.mjs` knows. Each is a list of argument vectors, never a shell line, so what
 * the user adds after `--` reaches the last program as it was typed. What is served is the command line and the packages below
 * it, so that a start installs and builds nothing else; paths that the user names are those of where they stand.
 */
const served = ["--filter", "@plasm/cli..."];

export const tasks = Object.freeze({
  start: {
    install: ["--filter", ".", ...served],
    before: [["node", "scripts/build.mjs", ...served]],
    run: [
      "node",
      join(root, "apps/cli/dist/plasm.mjs"),
      "try",
      `--data=${join(root, ".data")}`,
      `--catalogs=${join(root, "catalogs")}`,
    ],
    cwd: process.env.INIT_CWD ?? process.cwd(),
  },
  test: {
    before: [["node", "scripts/build.mjs"]],
    run: ["node", "node_modules/vitest/vitest.mjs", "run"],
    env: { PLASM_TEST_BUILT: "yes" },
  },
  install: { before: [], run: ["node", "--version"] },
  path: { printPath: true, before: [], run: [] },
});
