/**
 * The long cross product of sign-ins of `pnpm prove`: two principals with two accounts each run programs over MCP, HTTP and an embedded
 * engine, while tokens end and rotate and the server is killed. The API's own log says whose token each request came with. Fails if one was
 * another's, if a program was shown another row than its own, or if a token stands in anything that was told or written. At its full size
 * what came of it goes into bench/results/sign-ins.json.
 *
 *     node scripts/prove-sign-ins.mjs                               100 programs of each account on each surface, 20 kills
 *     node scripts/prove-sign-ins.mjs --programs 10 --kills 2
 */
import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { capture } from "./boot/capture.mjs";
import { root } from "./boot/versions.mjs";

const FULL = { programs: "100", kills: "20" };
const options = {
  programs: { type: "string", default: FULL.programs },
  kills: { type: "string", default: FULL.kills },
};
const { programs, kills } = parseArgs({ options }).values;
const command = [
  process.execPath,
  "--conditions=@plasm/source",
  "e2e/src/sign-in/main.ts",
  programs,
  kills,
];
const { code, stdout, stderr } = await capture(command, { cwd: root });
if (code !== 0) {
  console.error(`prove-sign-ins: it broke off:\n${stderr.slice(-4000)}`);
  process.exit(code);
}
const { wrong, foreign, leaks, failed, ...counts } = JSON.parse(
  stdout.trimEnd().split("\n").at(-1),
);
const faults = [...wrong, ...foreign, ...leaks, ...failed];
for (const fault of faults) console.log(fault);
console.log(
  `${faults.length === 0 ? "holds" : "FAILS"}  ${counts.programs} programs, ${counts.kills} kills, ${counts.requests} requests, ${counts.issued} tokens;`,
  `${wrong.length} with another's token, ${foreign.length} rows of another, ${leaks.length} tokens found, ${failed.length} without their row; ${counts.ms.all} ms`,
);
if (programs === FULL.programs && kills === FULL.kills) {
  const { stdout: commit } = await capture(["git", "rev-parse", "HEAD"], { cwd: root });
  const found = {
    wrong: wrong.length,
    foreign: foreign.length,
    leaks: leaks.length,
    failed: failed.length,
  };
  const record = {
    name: "sign-ins",
    commit: commit.trim(),
    paths: [
      "packages/agent-core/src",
      "packages/runtime/src",
      "packages/host/src",
      "packages/store/src",
    ],
    machine: { node: process.version, cpus: availableParallelism() },
    holds: faults.length === 0,
    ...counts,
    ...found,
  };
  writeFileSync(join(root, "bench/results/sign-ins.json"), `${JSON.stringify(record, null, 2)}\n`);
}
process.exitCode = faults.length === 0 ? 0 : 1;
