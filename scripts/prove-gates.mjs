/**
 * `pnpm prove-gates`: a gate that never fails proves nothing. For the faults of scripts/prove/faults.mjs
 * it copies the tree, plants those of one gate, runs that gate, and expects it to fail naming each of them;
 * the same gate must pass on the copy without faults. Arguments narrow it to some gates.
 * `--json FILE` writes the outcome; `--checked FILE` is what `pnpm check --json` wrote of the same tree: gates
 * that passed there are not run on it again. `--turn N` proves a ninth of the gates, another one for each N: a run
 * of CI has its commit's name draw it, so that runs one after another prove all.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, stripVTControlCharacters } from "node:util";
import { capture } from "./boot/capture.mjs";
import { gates } from "./gates/index.mjs";
import { pool } from "./lib/pool.mjs";
import { root } from "./lib/workspace.mjs";
import { faults } from "./prove/faults.mjs";
import { branchCopy, scratchCopy } from "./prove/scratch-copy.mjs";

const string = { type: "string" };
const { values, positionals: given } = parseArgs({
  options: { json: string, checked: string, turn: string },
  allowPositionals: true,
});
const { json } = values;
const quiet =
  values.checked === undefined ? [] : JSON.parse(readFileSync(values.checked, "utf8")).quiet;
const TURNS = 9;
const inTurn = (gate) =>
  values.turn === undefined ||
  gates.findIndex(({ name }) => name === gate) % TURNS === Number(values.turn) % TURNS;
const chosen = faults.filter(
  ({ gate }) => inTurn(gate) && (given.length === 0 || given.includes(gate)),
);
const scratch = mkdtempSync(join(tmpdir(), "plasm-prove-"));
const base = join(scratch, "base");

// A planted package.json must not make pnpm install: the gate is to judge the fault, not a mended copy.
const env = { ...process.env, pnpm_config_verify_deps_before_run: "false" };

const runGate = async ({ gate, narrow = [] }, directory) => {
  const { command } = gates.find(({ name }) => name === gate);
  // The gates' scripts find the tree from their own place, so those of the copy look at the copy.
  const { code, stdout, stderr } = await capture([...command, ...narrow], {
    cwd: directory,
    env,
  });
  // Colours part a path in two where the terminal has them, or FORCE_COLOR asks for them.
  return { code, output: stripVTControlCharacters(`${stdout}${stderr}`) };
};

const keyOf = ({ gate, narrow = [] }) => [gate, ...narrow].join(" ");

/** Faults that one run of a gate may find together; those marked `alone` change the same file. */
const groupsOf = (entries) => {
  const groups = new Map();
  for (const entry of entries) {
    const key = entry.alone ? entry.fault : keyOf(entry);
    groups.set(key, [...(groups.get(key) ?? []), entry]);
  }
  return [...groups.values()];
};

const prove = async (group, index) => {
  const [first] = group;
  const directory = join(scratch, `faults-${index}`);
  branchCopy(base, directory);
  try {
    for (const { plant } of group) plant(directory);
    const started = performance.now();
    if (first.before !== undefined) await capture(first.before, { cwd: directory, env });
    const { code, output } = await runGate(first, directory);
    const seconds = (performance.now() - started) / 1000;
    return group.map((entry) => {
      const named = entry.names.test(output);
      const verdict = code === 0 ? "MISSED" : named ? "caught" : "FAILED WITHOUT NAMING IT";
      tell(verdict, entry.gate, entry.fault, seconds);
      return { ...entry, verdict, output };
    });
  } finally {
    rmSync(directory, { recursive: true });
  }
};

const tell = (verdict, gate, fault, seconds) => {
  console.log(
    `${verdict.padEnd(7)} ${gate.padEnd(13)} ${fault.padEnd(44)} ${seconds.toFixed(1)} s`,
  );
};

const provePeace = async (entry) => {
  const started = performance.now();
  const { code, output } = await runGate(entry, base);
  const verdict = code === 0 ? "passes" : "FAILS";
  tell(verdict, entry.gate, "(nothing planted)", (performance.now() - started) / 1000);
  return { ...entry, fault: "(nothing planted)", verdict, output };
};

try {
  scratchCopy(root, base);
  const distinct = [...new Map(chosen.map((entry) => [keyOf(entry), entry])).values()].filter(
    (entry) => !quiet.includes(keyOf(entry)),
  );
  const peaceful = await pool(distinct, provePeace, 2);
  const proofs = (await pool(groupsOf(chosen), prove, 2)).flat();
  const uncovered = gates.filter(({ name }) => faults.every(({ gate }) => gate !== name));
  const wrong = [...peaceful, ...proofs].filter(
    ({ verdict }) => !["passes", "caught"].includes(verdict),
  );
  for (const { gate, fault, verdict, output } of wrong) {
    console.log(`\n── ${gate}: ${fault}: ${verdict} ──\n${output.trimEnd().slice(-3000)}`);
  }
  for (const { name } of uncovered) console.log(`\nno fault is planted for the gate ${name}`);
  const total = peaceful.length + proofs.length + uncovered.length;
  const failed = wrong.length + uncovered.length;
  console.log(`\n${total - failed} of ${total} proofs hold`);
  if (json !== undefined) writeFileSync(json, JSON.stringify({ passed: total - failed, failed }));
  process.exitCode = failed === 0 && total > 0 ? 0 : 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
