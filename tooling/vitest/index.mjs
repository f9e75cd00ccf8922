import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { leftOut } from "./slow-tests.mjs";

const conditions = ["@plasm/source", "module", "node", "development|production"];

const CONFIGURATION = fileURLToPath(
  new URL("../../node_modules/.cache/test-configuration", import.meta.url),
);

const PROPERTY_SEED = fileURLToPath(new URL("property-seed.mjs", import.meta.url));

/**
 * What properties draw by: whoever sets PLASM_PROPERTY_SEED says it. In CI it is the commit, so that each commit draws
 * anew and one commit has one verdict on every machine; elsewhere, and outside of git, each run draws anew.
 */
const propertySeed = () => {
  const { CI, PLASM_PROPERTY_SEED: set } = process.env;
  if (set || !CI) return set ?? "";
  try {
    const commit = execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8", stdio: "pipe" });
    return String(Number.parseInt(commit.slice(0, 7), 16));
  } catch {
    return "";
  }
};

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
      // A worker more than two cores have: many tests wait for processes and sockets of their own.
      maxWorkers: 3,
      testTimeout: 120_000,
      hookTimeout: 120_000,
      // The default is a second, which is what a busy machine takes for a request.
      expect: { poll: { timeout: 60_000 } },
      ...test,
      exclude: [...(test.exclude ?? ["**/node_modules/**", "**/dist/**"]), ...leftOut()],
      // Keys that tests make are not among those of whoever runs them.
      env: {
        XDG_CONFIG_HOME: CONFIGURATION,
        PLASM_PROPERTY_SEED: propertySeed(),
        ...test.env,
      },
      setupFiles: [PROPERTY_SEED],
    },
  });
