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
          // No file keeps state in its modules, so files may share what one of them has loaded.
          isolate: false,
          maxWorkers: 3,
          // As everywhere: a time limit only ends what hangs.
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
    passWithNoTests: false,
  },
});
