/**
 * The long crash test of `pnpm prove`: hosts are killed by SIGKILL in a plan of 6 effects and 40 reads, at every
 * boundary and at instants at random, on SQLite with restarts and on PostgreSQL with two replicas. What an API that
 * records all it gets has performed must be what is told, once. It goes in parts, which bench/results/crashes.json
 * keeps, so that it can be ended at any time and goes on where it was. Fails if an effect was repeated, lost, told
 * wrongly or never reviewed, or a handle does not answer.
 *
 *     node scripts/prove-crashes.mjs                              the parts that are missing
 *     node scripts/prove-crashes.mjs --store postgres             of one store
 *     node scripts/prove-crashes.mjs --at-once 2                  so many parts at a time
 *     node scripts/prove-crashes.mjs --store sqlite --part 3 --seed 7    one part, again
 *     node scripts/prove-crashes.mjs --totals                     what was done so far
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { capture } from "./boot/capture.mjs";
import { wasInterrupted } from "./boot/relay-signals.mjs";
import { root } from "./boot/versions.mjs";
import { appendPart, GOALS, missingParts, readParts, totalsOf } from "./prove/crash-record.mjs";

const record = join(root, "bench/results/crashes.json");

const refuse = (why) => {
  console.error(`prove-crashes: ${why}`);
  process.exit(2);
};

const optionsOf = () => {
  const string = { type: "string" };
  const options = {
    store: string,
    part: string,
    seed: string,
    "at-once": string,
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
  return /^\d{1,9}$/.test(text) ? Number(text) : refuse(`${text} is no number of --${name}`);
};
const stores = Object.keys(GOALS).filter((one) => one === (options.store ?? one));
if (stores.length === 0) refuse(`${options.store} is no store`);
const wanted = { part: numberOption("part"), seed: numberOption("seed") };

const drawSeed = () => 1 + Math.floor(Math.random() * 999_999_999);
const head = async () => (await capture(["git", "rev-parse", "HEAD"], { cwd: root })).stdout.trim();

const partsToDo = () => {
  const known = readParts(record);
  if (wanted.part === undefined) {
    // In turns: replicas wait for their queue while others work.
    const missing = stores.flatMap((store) => missingParts(known, store));
    return missing.toSorted((a, b) => a.part - b.part);
  }
  return stores
    .filter((store) => wanted.part < GOALS[store].parts)
    .map((store) => ({ store, part: wanted.part }));
};

/** One part in a process of its own, recorded whatever came of it. */
const doPart = async ({ store, part }) => {
  const seed = wanted.seed ?? drawSeed();
  const { parts } = GOALS[store];
  const began = performance.now();
  const { code, stdout, stderr } = await capture(
    [
      process.execPath,
      "--conditions=@plasm/source",
      "e2e/src/kills/main.ts",
      ...[store, seed, part, parts].map(String),
    ],
    { cwd: root, env: { ...process.env, NODE_OPTIONS: "--disable-warning=ExperimentalWarning" } },
  );
  if (wasInterrupted(code)) process.exit(code);
  if (code !== 0) {
    console.error(`${store} part ${part} with seed ${seed} broke off:\n${stderr.slice(-4000)}`);
    return;
  }
  const outcome = JSON.parse(stdout.trimEnd().split("\n").at(-1));
  const ms = Math.round(performance.now() - began);
  appendPart(record, { store, part, seed, commit: await head(), ms, ...outcome });
  const word = outcome.faults.length === 0 ? "holds" : "FAILS";
  console.log(`${word}  ${store} part ${part} of ${parts}  seed ${seed}  ${outcome.kills} kills`);
  for (const fault of outcome.faults) console.log(fault);
};

const todo = options.totals ? [] : partsToDo();
const work = async () => {
  for (let next = todo.shift(); next !== undefined; next = todo.shift()) await doPart(next);
};
await Promise.all(Array.from({ length: numberOption("at-once") ?? 1 }, work));

const totals = totalsOf(readParts(record)).filter(({ store }) => stores.includes(store));
for (const total of totals) {
  const { store, kills, goal, boundary, random, handles } = total;
  console.log(
    `${total.holds ? "     " : "FAILS"}  ${store}: ${kills} of ${goal} kills, ${boundary} at boundaries, ${random} at random;`,
    `duplicates ${total.duplicates}, lost ${total.lost}, unreported ${total.unreported}, unreviewed ${total.unreviewed};`,
    `${total.unanswered} of ${handles} handles do not answer`,
  );
}
process.exitCode = totals.every(({ holds }) => holds) ? 0 : 1;
