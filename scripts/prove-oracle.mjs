/**
 * `node scripts/prove-oracle.mjs [--worlds 400] [--peace 100] [--seed 17] [ITEM …]`: an oracle that finds nothing proves
 * nothing. It copies the tree, plants the faults of scripts/prove/oracle-faults.mjs one by one, lets the oracle
 * judge so many worlds, and expects a finding; without a fault, in so many worlds of peace, there must be none. Each fault is written to
 * bench/results/oracle-faults.json as soon as it was tried, so that it can be ended at any time.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { capture } from "./boot/capture.mjs";
import { root } from "./lib/workspace.mjs";
import { heldElsewhere, oracleFaults } from "./prove/oracle-faults.mjs";
import { branchCopy, scratchCopy } from "./prove/scratch-copy.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    worlds: { type: "string", default: "400" },
    peace: { type: "string", default: "100" },
    seed: { type: "string", default: "17" },
  },
});
const chosen = oracleFaults.filter(
  ({ item }) => positionals.length === 0 || positionals.includes(item),
);
const scratch = mkdtempSync(join(tmpdir(), "plasm-oracle-"));
const base = join(scratch, "base");

/** Lets the oracle of a copy judge worlds: how many it tried, and the first finding, or null. */
const judge = async (directory, worlds) => {
  const script = ["scripts/prove/try-oracle.mjs", worlds, values.seed];
  const { code, stdout, stderr } = await capture(
    [process.execPath, "--conditions=@plasm/source", ...script],
    {
      cwd: directory,
      env: { ...process.env, NODE_OPTIONS: "--disable-warning=ExperimentalWarning" },
    },
  );
  if (code !== 0) throw new Error(`the oracle broke off: ${stderr.slice(-2000)}`);
  return JSON.parse(stdout.trimEnd().split("\n").at(-1));
};

const plant = (directory, { file, old, new: text }) => {
  const path = join(directory, file);
  const source = readFileSync(path, "utf8");
  if (source.split(old).length !== 2) throw new Error(`${file} has not exactly once: ${old}`);
  writeFileSync(
    path,
    source.replace(old, () => text),
  );
};

const firstLine = (failure) => /world \d+: .*/.exec(failure)?.[0] ?? failure.split("\n")[0];

const record = join(root, "bench/results/oracle-faults.json");

/** Writes down what was tried, in the order of the list of faults; `worlds` of 0 is a fault that was not tried yet. */
const keep = (tried) => {
  const known = JSON.parse(readFileSync(record, "utf8")).faults;
  const faults = oracleFaults.map(({ item, fault }) => {
    const same = (each) => each.item === item && each.fault === fault;
    return tried.find(same) ?? known.find(same) ?? { item, fault, worlds: 0, found: null };
  });
  const text = JSON.stringify(
    {
      commit,
      paths: ["e2e/src/oracle", "scripts/prove/oracle-faults.mjs"],
      worlds: Number(values.worlds),
      seed: Number(values.seed),
      faults,
      elsewhere: heldElsewhere,
    },
    null,
    2,
  );
  writeFileSync(record, `${text}\n`);
};

const { stdout: head } = await capture(["git", "rev-parse", "HEAD"], { cwd: root });
const commit = head.trim();
const tried = [];
try {
  scratchCopy(root, base);
  const { failure: peace } = await judge(base, values.peace);
  if (peace !== null) throw new Error(`without a fault the oracle finds: ${firstLine(peace)}`);
  for (const [at, fault] of chosen.entries()) {
    const directory = join(scratch, `fault-${at}`);
    branchCopy(base, directory);
    plant(directory, fault);
    const { failure, tried: worlds } = await judge(directory, values.worlds);
    rmSync(directory, { recursive: true });
    const found = failure === null ? null : firstLine(failure);
    tried.push({ item: fault.item, fault: fault.fault, worlds, found });
    keep(tried);
    console.log(
      `${found === null ? "MISSED" : "found "}  ${fault.item}  ${fault.fault}: ${found ?? "-"}`,
    );
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
process.exitCode = tried.every(({ found }) => found !== null) ? 0 : 1;
