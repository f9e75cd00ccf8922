/**
 * The proof of replicas in `pnpm prove`: two servers on one PostgreSQL. `alternate`: clients whose every call goes
 * to the other replica are told, word for word, what a single one tells, over MCP and HTTP. `kills`: the same while
 * before each call who served the last one, or both, are killed by SIGKILL. `crowd`: 200 sessions of 20 calls at the
 * same time, two calls of each, give no error, lose no wave and give no symbol twice. bench/results/replicas.json keeps
 * what came of each. Fails if a part does not hold.
 *
 *     node scripts/prove-replicas.mjs                   the parts that are missing
 *     node scripts/prove-replicas.mjs --part crowd      one part, again
 *     node scripts/prove-replicas.mjs --totals          what was done so far
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { capture } from "./boot/capture.mjs";
import { wasInterrupted } from "./boot/relay-signals.mjs";
import { root } from "./boot/versions.mjs";
import { missingParts, PARTS, putPart, readParts } from "./prove/replica-record.mjs";

const record = join(root, "bench/results/replicas.json");

const refuse = (why) => {
  console.error(`prove-replicas: ${why}`);
  process.exit(2);
};

const optionsOf = () => {
  try {
    return parseArgs({ options: { part: { type: "string" }, totals: { type: "boolean" } } }).values;
  } catch (error) {
    return refuse(error.message);
  }
};
const { part: wanted, totals = false } = optionsOf();
if (wanted !== undefined && !PARTS.includes(wanted)) refuse(`there is no part ${wanted}`);

const head = async () => (await capture(["git", "rev-parse", "HEAD"], { cwd: root })).stdout.trim();

/** One part in a process of its own, recorded whatever came of it. */
const doPart = async (part) => {
  const began = performance.now();
  const main = ["--conditions=@plasm/source", "e2e/src/replicas/main.ts", part];
  const env = { ...process.env, NODE_OPTIONS: "--disable-warning=ExperimentalWarning" };
  const { code, stdout, stderr } = await capture([process.execPath, ...main], { cwd: root, env });
  if (wasInterrupted(code)) process.exit(code);
  if (code !== 0) {
    console.error(`${part} broke off:\n${stderr.slice(-4000)}`);
    process.exitCode = 1;
    return;
  }
  const outcome = JSON.parse(stdout.trimEnd().split("\n").at(-1));
  const ms = Math.round(performance.now() - began);
  putPart(record, { part, commit: await head(), ms, ...outcome });
};

const due = () => (wanted === undefined ? missingParts(readParts(record)) : [wanted]);
for (const part of totals ? [] : due()) await doPart(part);

const parts = readParts(record);
for (const { part, tried, faults } of parts) {
  const counts = Object.entries(tried).map(([what, count]) => `${what} ${count}`);
  console.log(`${faults.length === 0 ? "holds" : "FAILS"}  ${part}: ${counts.join(", ")}`);
  for (const fault of faults.slice(0, 20)) console.log(fault);
}
if (missingParts(parts).length > 0) process.exitCode = 1;
