/**
 * The long form of the pressure harness (e2e/src/pressure) in `pnpm prove`: the built server is killed, also while it
 * starts and takes over; each kind of outage strikes in the middle of runs; 500 operations are heard by 2,000 listeners;
 * and one server is used for two hours. What an API of the harness's own wrote down judges what was told. Each part goes
 * into bench/results/pressure.json as soon as it is done, so that this can be ended at any time and goes on where it was.
 * Fails if a goal is not reached or something was wrong.
 *
 *     node scripts/prove-pressure.mjs                             what is missing
 *     node scripts/prove-pressure.mjs --part "outage disk is full"    one part, what is missing of it
 *     node scripts/prove-pressure.mjs --part "kills sqlite" --count 50 --seed 7    so much of it, again
 *     node scripts/prove-pressure.mjs --seconds 600               no part is begun, and no kill, after that
 *     node scripts/prove-pressure.mjs --totals                    what was done so far
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { capture } from "./boot/capture.mjs";
import { wasInterrupted } from "./boot/relay-signals.mjs";
import { root } from "./boot/versions.mjs";
import { addPart, GOALS, readParts, smallPart, totalsOf } from "./prove/pressure-record.mjs";

const record = join(root, "bench/results/pressure.json");

const refuse = (why) => {
  console.error(`prove-pressure: ${why}`);
  process.exit(2);
};

const optionsOf = () => {
  const string = { type: "string" };
  const options = {
    part: string,
    seed: string,
    count: string,
    seconds: string,
    totals: { type: "boolean" },
  };
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
  return /^\d{1,9}$/.test(text) ? Number(text) : refuse(`--${name} takes a number, not ${text}`);
};
const wanted = { seed: numberOption("seed"), count: numberOption("count") };
const until = performance.now() + (numberOption("seconds") ?? Number.MAX_SAFE_INTEGER) * 1_000;
const names = Object.keys(GOALS).filter((name) => name === (options.part ?? name));
if (names.length === 0) refuse(`there is no part ${options.part}`);

const drawSeed = () => 1 + Math.floor(Math.random() * 999_999);
const head = async () => (await capture(["git", "rev-parse", "HEAD"], { cwd: root })).stdout.trim();

/** Kills are many: they go in parts, so that little is lost where this is ended. */
const KILLS_A_PART = 100;

const missing = (name) => {
  const { tried, goal, faults } = totalsOf(readParts(record)).find(({ part }) => part === name);
  if (name.startsWith("kills")) return Math.min(goal - tried, KILLS_A_PART);
  return tried >= goal && faults === 0 ? 0 : goal;
};

/** What was tried, of a part's own outcome. */
const triedOf = ({ kills, tried, operations, seconds }) => kills ?? tried ?? operations ?? seconds;

/** One part in a process of its own, recorded whatever came of it. */
const doPart = async (name, count) => {
  const seed = wanted.seed ?? drawSeed();
  const [part, ...what] = name.split(" ");
  const left = Math.min(86_400, Math.ceil((until - performance.now()) / 1_000));
  const began = performance.now();
  const { code, stdout, stderr } = await capture(
    [process.execPath, "e2e/src/pressure/main.ts"].concat(
      [part, what.join(" ")],
      [seed, count, left].map(String),
    ),
    { cwd: root, env: { ...process.env, NODE_OPTIONS: "--disable-warning=ExperimentalWarning" } },
  );
  if (wasInterrupted(code)) process.exit(code);
  if (code !== 0) {
    console.error(`${name} with seed ${seed} broke off:\n${stderr.slice(-4000)}`);
    process.exitCode = 1;
    return false;
  }
  const outcome = JSON.parse(stdout.trimEnd().split("\n").at(-1));
  const ms = Math.round(performance.now() - began);
  const about = { part: name, seed, commit: await head(), ms, tried: triedOf(outcome) };
  addPart(record, smallPart(about, outcome));
  const word = outcome.faults.length === 0 ? "holds" : "FAILS";
  console.log(`${word}  ${name}  seed ${seed}  ${about.tried} in ${Math.round(ms / 1_000)} s`);
  for (const fault of outcome.faults.slice(0, 20)) console.log(fault);
  return outcome.faults.length === 0 && about.tried > 0;
};

for (const name of options.totals ? [] : names) {
  let again = true;
  while (again && performance.now() < until) {
    const count = wanted.count ?? missing(name);
    if (count <= 0) break;
    again = (await doPart(name, count)) && wanted.count === undefined && name.startsWith("kills");
  }
}

const totals = totalsOf(readParts(record)).filter(({ part }) => names.includes(part));
for (const { part, tried, goal, effects, faults } of totals) {
  const holds = tried >= goal && faults === 0;
  console.log(
    `${holds ? "     " : "FAILS"}  ${part}: ${tried} of ${goal}, ${effects} effects, ${faults} faults`,
  );
  if (!holds) process.exitCode = 1;
}
