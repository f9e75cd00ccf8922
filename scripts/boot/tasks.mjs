/**
 * The tasks `scripts/boot.mjs` knows. Each is a list of argument vectors, never a shell line, so what
 * the user adds after `--` reaches the last program as it was typed.
 */
const build = ["node", "scripts/build.mjs"];

export const tasks = Object.freeze({
  start: { before: [build], run: ["node", "scripts/start.mjs"] },
  test: {
    before: [build],
    run: ["node", "node_modules/vitest/vitest.mjs", "run"],
    env: { PLASM_TEST_BUILT: "yes" },
  },
  install: { before: [], run: ["node", "--version"] },
  path: { printPath: true, before: [], run: [] },
});
