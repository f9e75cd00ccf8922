/**
 * `pnpm check`: all gates, two at a time; `pnpm check lint types` runs only those. Prints one line a gate,
 * then the output of each that failed with what to do about it. `--json FILE` writes the outcome.
 */
import { writeFileSync } from "node:fs";
import { capture } from "./boot/capture.mjs";
import { gates } from "./gates/index.mjs";
import { pool } from "./lib/pool.mjs";
import { root } from "./lib/workspace.mjs";

const readArguments = (args) => {
  const at = args.indexOf("--json");
  const json = at < 0 ? undefined : args[at + 1];
  const names = at < 0 ? args : args.toSpliced(at, 2);
  const unknown = names.filter((name) => gates.every((gate) => gate.name !== name));
  if (unknown.length > 0) {
    console.error(
      `Unknown gate ${unknown.join(", ")}. Gates: ${gates.map(({ name }) => name).join(", ")}.`,
    );
    process.exit(2);
  }
  return {
    json,
    chosen: names.length === 0 ? gates : gates.filter(({ name }) => names.includes(name)),
  };
};

const run = async (gate) => {
  const started = performance.now();
  const { code, stdout, stderr } = await capture(gate.command, { cwd: root, env: process.env });
  const seconds = (performance.now() - started) / 1000;
  console.log(
    `${code === 0 ? "ok    " : "FAILED"} ${gate.name.padEnd(13)} ${seconds.toFixed(1)} s`,
  );
  return { ...gate, code, seconds, output: `${stdout}${stderr}`.trimEnd() };
};

const { json, chosen } = readArguments(process.argv.slice(2));
const build = chosen.find(({ name }) => name === "build");
const building = build === undefined ? undefined : run(build);
const start = async (gate) => {
  if (gate === build) return building;
  if (gate.afterBuild && building !== undefined) await building;
  return run(gate);
};

const outcomes = await pool(chosen, start, 2);
// A gate that could not look says so, though it holds nothing up.
for (const { name, code, output } of outcomes) {
  if (code === 0 && output.startsWith("not checked")) console.log(`note   ${name}: ${output}`);
}
const failed = outcomes.filter(({ code }) => code !== 0);
for (const { name, output, what } of failed) console.log(`\n── ${name} ──\n${output}\n→ ${what}`);
const summary = `${outcomes.length - failed.length} of ${outcomes.length} gates passed`;
console.log(
  failed.length === 0
    ? `\n${summary}`
    : `\n${summary}; failed: ${failed.map(({ name }) => name).join(", ")}`,
);
if (json !== undefined) {
  const passed = outcomes.length - failed.length;
  const quiet = outcomes.filter(({ code }) => code === 0).map(({ name }) => name);
  writeFileSync(json, JSON.stringify({ passed, failed: failed.length, quiet }));
}
process.exitCode = failed.length === 0 ? 0 : 1;
