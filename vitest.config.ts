import { defineConfig } from "vitest/config";

/** One run, one summary: every workspace package with tests that need no Debian package. */
export default defineConfig({
  test: {
    projects: [
      "packages/*",
      "apps/*",
      "plugins/*",
      "e2e",
      "bench",
      { test: { name: "scripts", include: ["scripts/**/*.test.mjs"] } },
    ],
    passWithNoTests: false,
    // Many tests wait for processes and sockets of their own; a worker more than two cores keeps them busy.
    maxWorkers: 3,
  },
});
