/**
 * Says which results under bench/results/ are older than the code they speak of: each records the commit
 * it was made at and the paths it depends on. Prints one line a result and never fails.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "./boot/versions.mjs";

const git = (...args) =>
  execFileSync("git", args, {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }).trim();

const age = (path) => {
  let commit;
  try {
    const result = JSON.parse(readFileSync(join(root, path), "utf8"));
    commit = result.commit;
    if (typeof commit !== "string" || !Array.isArray(result.paths)) {
      return "STALE? it records no commit or no paths";
    }
    const since = Number(git("rev-list", "--count", `${commit}..HEAD`, "--", ...result.paths));
    const at = commit.slice(0, 10);
    return since === 0
      ? `current (made at ${at})`
      : `STALE: ${since} commits changed ${result.paths.join(", ")} since ${at}; run \`pnpm prove\``;
  } catch (error) {
    return `STALE? ${error instanceof SyntaxError ? "it is not JSON" : `commit ${commit} is not in this clone`}`;
  }
};

const directory = join(root, "bench/results");
const results = (existsSync(directory) ? readdirSync(directory) : [])
  .filter((name) => name.endsWith(".json"))
  .map((name) => `bench/results/${name}`)
  .sort();
for (const path of results) console.log(`results-age: ${path}: ${age(path)}`);
if (results.length === 0)
  console.log("results-age: no results under bench/results/ yet; run `pnpm prove`");
