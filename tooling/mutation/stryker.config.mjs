// Mutants of one folder of core; run.mjs sets MUTATE and runs this in packages/core.
import { fileURLToPath } from "node:url";

const folder = process.env.MUTATE;
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

export default {
  mutate: [`src/${folder}/**/*.ts`, "!src/**/*.test.ts"],
  plugins: [import.meta.resolve("@stryker-mutator/mocha-runner")],
  testRunner: "mocha",
  // Mutants are in Stryker's copy of core; one bundle is made of it and its tests.
  buildCommand: `node ${here("bundle.mjs")} ${folder} mutation-tests.mjs`,
  mochaOptions: { spec: ["mutation-tests.mjs"], "no-config": true, "no-package": true },
  coverageAnalysis: "perTest",
  // What runs once, when the module is loaded, would need a new process for each mutant.
  ignoreStatic: true,
  concurrency: Number(process.env.MUTATE_WORKERS ?? 2),
  timeoutMS: 20_000,
  dryRunTimeoutMinutes: 10,
  reporters: ["json", "progress-append-only"],
  jsonReporter: { fileName: process.env.MUTATE_REPORT },
  allowConsoleColors: false,
  tempDirName: ".stryker-tmp",
  checkers: [],
  disableTypeChecks: false,
};
