/**
 * The long cross product of sign-ins of `pnpm prove`: two principals with two accounts each run programs over MCP, HTTP and an embedded
 * engine, while tokens end and rotate and the server is killed. The API's own log says whose token each request came with. Fails if one was
 * another's, if a program was shown another's row, or if a token stands in anything that was told or written.
 *
 *     node scripts/prove-sign-ins.mjs                               100 programs of each account on each surface, 20 kills
 *     node scripts/prove-sign-ins.mjs --programs 10 --kills 2
 */
import { parseArgs } from "node:util";
import { capture } from "./boot/capture.mjs";
import { root } from "./boot/versions.mjs";

const options = {
  programs: { type: "string", default: "100" },
  kills: { type: "string", default: "20" },
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
process.exitCode = faults.length === 0 ? 0 : 1;
