import { defineConfig } from "vitest/config";

/** One run, one summary: every workspace package with tests that need no Debian package. */
export default defineConfig({
  test: {
    projects: [
      "packages/*",
      "apps/*",
      "plugins/*",
      "catalogs",
      "e2e",
      "bench",
      {
        test: {
          name: "scripts",
          include: ["scripts/**/*.test.mjs"],
          // As everywhere: a time limit only ends what hangs.
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
    passWithNoTests: false,
  },
});
