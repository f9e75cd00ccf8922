/**
 * The long crash test of undo of `pnpm prove`: hosts are killed in runs and in what takes them back, at requests that are drawn. Fails if a
 * row of the API is not as it was before and nothing says so. A whole one is bench/results/undo.json.
 *
 *     node scripts/prove-undo.mjs                          300 kills
 *     node scripts/prove-undo.mjs --kills 20 --seed 7
 */
import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { capture } from "./boot/capture.mjs";
import { root } from "./boot/versions.mjs";

const FULL = "300";
const options = {
  kills: { type: "string", default: FULL },
  seed: { type: "string", default: String(Date.now() % 1_000_000) },
};
const { kills, seed } = parseArgs({ options }).values;
const began = performance.now();
const { code, stdout, stderr } = await capture(
  [process.execPath, "--conditions=@plasm/source", "e2e/src/kills/undo-main.ts", seed, kills],
  { cwd: root, env: { ...process.env, NODE_OPTIONS: "--disable-warning=ExperimentalWarning" } },
);
if (code !== 0) {
  console.error(`prove-undo: it broke off:\n${stderr.slice(-4000)}`);
  process.exit(code);
}
const outcome = JSON.parse(stdout.trimEnd().split("\n").at(-1));
for (const fault of outcome.faults) console.log(fault);
const word = outcome.faults.length === 0 ? "holds" : "FAILS";
console.log(`${word}  ${outcome.kills} kills in runs and their undo  seed ${outcome.seed}`);
if (kills === FULL) {
  const { stdout: commit } = await capture(["git", "rev-parse", "HEAD"], { cwd: root });
  const record = {
    name: "undo",
    commit: commit.trim(),
    paths: ["packages/agent-core/src", "packages/runtime/src", "packages/store/src"],
    machine: { node: process.version, cpus: availableParallelism() },
    holds: outcome.faults.length === 0,
    seed: outcome.seed,
    kills: outcome.kills,
    faults: outcome.faults.length,
    ms: Math.round(performance.now() - began),
  };
  writeFileSync(join(root, "bench/results/undo.json"), `${JSON.stringify(record, null, 2)}\n`);
}
process.exitCode = outcome.faults.length === 0 ? 0 : 1;
