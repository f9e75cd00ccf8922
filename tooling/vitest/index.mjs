import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const conditions = ["@plasm/source", "module", "node", "development|production"];

const CONFIGURATION = fileURLToPath(
  new URL("../../node_modules/.cache/test-configuration", import.meta.url),
);

/**
 * Test preset of every workspace package: tests beside the code, workspace packages read from source.
 * A time limit only ends what hangs; nothing is judged by how fast a busy machine is.
 */
export const preset = (test = {}) =>
  defineConfig({
    resolve: { conditions },
    ssr: { resolve: { conditions, externalConditions: conditions } },
    test: {
      include: ["**/*.test.ts"],
      exclude: ["**/node_modules/**", "**/dist/**"],
      // A worker more than two cores have: many tests wait for processes and sockets of their own.
      maxWorkers: 3,
      testTimeout: 120_000,
      hookTimeout: 120_000,
      // The default is a second, which is what a busy machine takes for a request.
      expect: { poll: { timeout: 60_000 } },
      ...test,
      // Keys that tests make are not among those of whoever runs them.
      env: { XDG_CONFIG_HOME: CONFIGURATION, ...test.env },
    },
  });
