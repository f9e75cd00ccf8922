/**
 * Mutation testing of core, one folder at a time: `pnpm mutate plan [--show]`. The result goes to
 * bench/results/mutation.json; --show prints the mutants that no test noticed, by file.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { testsOf } from "./folders.mjs";
import { scoreOf, unnoticed } from "./report.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../..");
const core = join(root, "packages/core");
const results = join(root, "bench/results/mutation.json");

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { show: { type: "boolean", default: false } },
});
const folders = Object.keys(testsOf);
const [folder] = positionals;
if (positionals.length !== 1 || !folders.includes(folder)) {
  console.error(`mutate: name one folder of core: ${folders.join(", ")}`);
  process.exit(2);
}

const mutate = (report) => {
  const stryker = join(
    dirname(createRequire(import.meta.url).resolve("@stryker-mutator/core/package.json")),
    "bin/stryker.js",
  );
  const { status } = spawnSync(
    process.execPath,
    [stryker, "run", join(here, "stryker.config.mjs")],
    { cwd: core, env: { ...process.env, MUTATE: folder, MUTATE_REPORT: report }, stdio: "inherit" },
  );
  if (status !== 0) process.exit(status ?? 1);
  return JSON.parse(readFileSync(report, "utf8"));
};

const record = (score) => {
  const commit = execFileSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" }).trim();
  const before = existsSync(results) ? JSON.parse(readFileSync(results, "utf8")).folders : {};
  const all = { ...before, [folder]: { commit, ...score } };
  const record = {
    name: "mutation",
    commit,
    paths: folders.map((each) => `packages/core/src/${each}`),
    machine: { node: process.version, cpus: availableParallelism() },
    folders: Object.fromEntries(
      folders.filter((each) => each in all).map((each) => [each, all[each]]),
    ),
  };
  writeFileSync(results, `${JSON.stringify(record, null, 2)}\n`);
};

const scratch = mkdtempSync(join(tmpdir(), "plasm-mutation-"));
try {
  const report = mutate(join(scratch, "report.json"));
  const score = scoreOf(report);
  record(score);
  if (values.show) console.log(unnoticed(report));
  console.log(
    `${folder}: ${score.percent} % of ${score.mutants} mutants noticed ` +
      `(${score.survived} survived, ${score.uncovered} in code no test runs)`,
  );
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
