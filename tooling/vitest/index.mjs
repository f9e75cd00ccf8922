import { defineConfig } from "vitest/config";

const conditions = ["@plasm/source", "module", "node", "development|production"];

/** Test preset of every workspace package: tests beside the code, workspace packages read from source. */
export const preset = (test = {}) =>
  defineConfig({
    resolve: { conditions },
    ssr: { resolve: { conditions, externalConditions: conditions } },
    test: { include: ["**/*.test.ts"], exclude: ["**/node_modules/**", "**/dist/**"], ...test },
  });
