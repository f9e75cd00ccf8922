/**
 * tsc over every workspace package, or over the directories and tsconfig files given as arguments.
 * Packages with the same options are one program, since each reads the sources of those it depends on.
 * Build information is kept under node_modules/.cache, so that a second run checks only what changed.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { capture } from "../boot/capture.mjs";
import { pool } from "../lib/pool.mjs";
import { root, typedPackages } from "../lib/workspace.mjs";

const cache = "node_modules/.cache/tsc";
mkdirSync(join(root, cache), { recursive: true });

/** What a tsconfig says: its options in one text, and its files as seen from the cache's directory. */
const read = (path) => {
  const { include, exclude = [], ...own } = JSON.parse(readFileSync(join(root, path), "utf8"));
  const options = { ...own, extends: createRequire(join(root, path)).resolve(own.extends) };
  const up = cache.replaceAll(/[^/]+/g, "..");
  const seen = (pattern) => `${up}/${dirname(path)}/${pattern}`;
  return {
    options: JSON.stringify(options),
    include: include.map(seen),
    exclude: exclude.map(seen),
  };
};

/** Writes one tsconfig for each set of options; gives their paths. */
const programs = (paths) => {
  const groups = Map.groupBy(paths.map(read), ({ options }) => options);
  return [...groups.values()].map((members, index) => {
    const project = `${cache}/${index}-${paths.join("-").replaceAll(/\W+/g, "-").slice(0, 80)}.json`;
    const include = members.flatMap((member) => member.include);
    const exclude = members.flatMap((member) => member.exclude);
    const options = JSON.parse(members[0].options);
    writeFileSync(join(root, project), JSON.stringify({ ...options, include, exclude }));
    return project;
  });
};

const check = async (project) => {
  const information = project.replace(/json$/, "tsbuildinfo");
  const { code, stdout, stderr } = await capture(
    ["node_modules/.bin/tsc", "-p", project, "--incremental", "--tsBuildInfoFile", information],
    { cwd: root, env: process.env },
  );
  return { code, output: stdout + stderr };
};

const given = process.argv.slice(2);
const targets = given.length > 0 ? given : typedPackages();
const paths = targets.map((target) =>
  target.endsWith(".json") ? target : `${target}/tsconfig.json`,
);
const results = await pool(programs(paths), check);
for (const { code, output } of results) if (code !== 0) console.log(output);
const failed = results.filter(({ code }) => code !== 0).length;
console.log(
  failed === 0
    ? `${paths.length} projects type-check, in ${results.length} programs`
    : `${failed} of ${results.length} programs of ${paths.length} projects do not type-check`,
);
process.exitCode = failed === 0 && results.length > 0 ? 0 : 1;
