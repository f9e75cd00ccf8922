/**
 * The long part of `pnpm prove`: properties that the tests try some hundred times are tried 1,000,000 times
 * here, 20,000 times where servers run; the parts of a numbered property (P14-…) share its runs. It goes in chunks of one seed each, which bench/results/properties.json
 * keeps, so that it can be ended at any time and goes on where it was. Fails if a property does not hold.
 *
 *     node scripts/prove-properties.mjs                                   what is missing of every goal
 *     node scripts/prove-properties.mjs --property P16 --runs 50000       so many more of all P16-…
 *     node scripts/prove-properties.mjs --property P16-cells --runs 50000 --seed 7
 *     node scripts/prove-properties.mjs --totals                          what was tried so far
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { capture } from "./boot/capture.mjs";
import { wasInterrupted } from "./boot/relay-signals.mjs";
import { root } from "./boot/versions.mjs";
import { appendChunk, readRecord, totalsOf } from "./prove/property-record.mjs";
import { propertyModules } from "./prove/properties.mjs";

const GOALS = { pure: 1_000_000, served: 20_000 };
const CHUNKS = { pure: 50_000, served: 2_000 };
const record = join(root, "bench/results/properties.json");

const refuse = (why) => {
  console.error(`prove-properties: ${why}`);
  process.exit(2);
};

const optionsOf = () => {
  const string = { type: "string" };
  const options = { property: string, runs: string, seed: string, totals: { type: "boolean" } };
  try {
    return { totals: false, ...parseArgs({ options }).values };
  } catch (error) {
    return refuse(error.message);
  }
};
const options = optionsOf();

const numberOption = (name) => {
  const text = options[name];
  if (text === undefined) return undefined;
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : refuse(`${text} is no number of --${name}`);
};
const asked = { runs: numberOption("runs"), seed: numberOption("seed") };

const inNode = (...args) =>
  capture(
    [process.execPath, "--conditions=@plasm/source", "scripts/prove/try-property.mjs", ...args],
    { cwd: root, env: { ...process.env, NODE_OPTIONS: "--disable-warning=ExperimentalWarning" } },
  );
const lastLine = (text) => JSON.parse(text.trimEnd().split("\n").at(-1));

const listed = await Promise.all(
  propertyModules.map(async (module) => {
    const { code, stdout, stderr } = await inNode(module.path);
    if (code !== 0) refuse(`${module.path} cannot be read: ${stderr}`);
    return lastLine(stdout).map((property) => ({ ...module, ...property }));
  }),
);
const numbered = (key) => /^P\d+(?=-)/.exec(key)?.[0] ?? key;
const partsOf = (key) =>
  listed.flat().filter((other) => numbered(other.key) === numbered(key)).length;
const known = listed.flat().map((property) => {
  const kind = property.served ? "served" : "pure";
  const goal = property.goal ?? Math.ceil(GOALS[kind] / partsOf(property.key));
  return { ...property, goal, chunk: Math.min(goal, CHUNKS[kind]) };
});
const paths = [...new Set(known.flatMap(({ speaksOf }) => speaksOf))].toSorted((a, b) =>
  a.localeCompare(b),
);
const { property: wanted } = options;
const selected = known.filter(
  ({ key }) => wanted === undefined || key === wanted || key.startsWith(`${wanted}-`),
);
if (selected.length === 0) refuse(`there is no property ${wanted}`);

const head = async () => (await capture(["git", "rev-parse", "HEAD"], { cwd: root })).stdout.trim();

/** What is kept of a failure: its stack is of this machine. */
const withoutStack = (failure) =>
  failure
    .split("\n")
    .filter((line) => !/^\s+at /.test(line))
    .join("\n");

/** One chunk in a process of its own, recorded whatever came of it. */
const tryChunk = async (property, runs, seed) => {
  const commit = await head();
  const { code, stdout, stderr } = await inNode(property.path, property.key, runs, seed);
  if (wasInterrupted(code)) process.exit(code);
  if (code !== 0) {
    console.error(`${property.key} with seed ${seed} broke off:\n${stderr.slice(-4000)}`);
    return false;
  }
  const { failure, ...tried } = lastLine(stdout);
  const failed = failure === null ? {} : { failure: withoutStack(failure) };
  appendChunk(record, { property: property.key, ...tried, commit, ...failed }, known, paths);
  const each = Math.round((tried.ms * 1000) / Math.max(1, tried.runs));
  const word = failure === null ? "holds" : "FAILS";
  console.log(`${word}  ${property.key}  ${tried.runs} runs  seed ${seed}  ${each} µs a run`);
  if (failure !== null) console.log(failure);
  return failure === null;
};

const drawSeed = () => 1 + Math.floor(Math.random() * 999_999_999);
const soFar = ({ key }) => totalsOf(readRecord(record), known).find((t) => t.property === key);

let held = true;
for (const property of options.totals ? [] : selected) {
  let left = asked.runs ?? property.goal - soFar(property).runs;
  while (left > 0) {
    const runs = Math.min(left, property.chunk);
    if (!(await tryChunk(property, runs, asked.seed ?? drawSeed()))) {
      held = false;
      break;
    }
    left -= runs;
  }
}

const shown = totalsOf(readRecord(record), selected);
for (const { property, runs, goal, microseconds, holds } of shown) {
  const speed = microseconds === null ? "" : `, ${microseconds} µs a run`;
  console.log(`${holds ? "     " : "FAILS"}  ${property}: ${runs} of ${goal} runs${speed}`);
}
process.exitCode = held && shown.every(({ holds }) => holds) ? 0 : 1;
