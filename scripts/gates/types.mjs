/**
 * tsc over every workspace package, or over the directories and tsconfig files given as arguments.
 * Build information is kept under node_modules/.cache, so that a second run checks only what changed.
 */
import { mkdirSync } from "node:fs";
import { capture } from "../boot/capture.mjs";
import { pool } from "../lib/pool.mjs";
import { root, typedPackages } from "../lib/workspace.mjs";

const cache = "node_modules/.cache/tsc";
mkdirSync(`${root}/${cache}`, { recursive: true });

const check = async (target) => {
  const project = target.endsWith(".json") ? target : `${target}/tsconfig.json`;
  const information = `${cache}/${project.replaceAll("/", "-")}.tsbuildinfo`;
  const { code, stdout, stderr } = await capture(
    ["node_modules/.bin/tsc", "-p", project, "--incremental", "--tsBuildInfoFile", information],
    { cwd: root, env: process.env },
  );
  return { project, code, output: stdout + stderr };
};

const given = process.argv.slice(2);
const results = await pool(given.length > 0 ? given : typedPackages(), check);
for (const { project, code, output } of results) {
  if (code !== 0) console.log(`${project}\n${output}`);
}
const failed = results.filter(({ code }) => code !== 0).length;
console.log(`${results.length - failed} of ${results.length} projects type-check`);
process.exitCode = failed === 0 && results.length > 0 ? 0 : 1;
