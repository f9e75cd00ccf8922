/**
 * dependency-cruiser over the whole workspace with the rules of .dependency-cruiser.mjs. It also fails
 * when it saw no module, or a folder that tooling/rooms does not order: silence must not pass for peace.
 */
import { cruise } from "dependency-cruiser";
import config from "../../.dependency-cruiser.mjs";
import { folderOrder, room } from "../../tooling/rooms/index.mjs";
import { exists } from "../lib/workspace.mjs";

const { forbidden, options } = config;
const { output } = await cruise(
  ["packages", "apps", "plugins", "catalogs", "e2e", "bench"].filter(exists),
  { ...options, validate: true, ruleSet: { forbidden } },
  options.enhancedResolveOptions,
);

const comments = new Map(forbidden.map(({ name, comment }) => [name, comment]));
const violations = output.summary.violations.map(({ rule, from, to, cycle }) => {
  const path = cycle === undefined ? to : cycle.map((step) => step.name ?? step).join(" → ");
  return `${rule.name}: ${from} → ${path}\n  ${comments.get(rule.name) ?? ""}`;
});

const modules = output.modules
  .map(({ source }) => source)
  .filter((path) => !path.includes("node_modules"));
const unordered = Object.entries(folderOrder).flatMap(([name, folders]) => {
  const start = `${room(name)}/src/`;
  const own = modules.filter((path) => path.startsWith(start));
  if (own.length === 0) return [`no module seen in ${start}`];
  const seen = new Set(
    own.map((path) => path.slice(start.length).split("/")[0].replace(/\.ts$/, "")),
  );
  return [...seen]
    .filter((folder) => !folders.includes(folder) && !folder.endsWith(".test"))
    .map(
      (folder) =>
        `folder-unordered: ${start}${folder}\n  give it a place in tooling/rooms/index.mjs`,
    );
});

const problems = [...violations, ...unordered];
for (const problem of problems) console.log(problem);
console.log(`${modules.length} modules, ${problems.length} problems`);
process.exitCode = problems.length === 0 && modules.length > 0 ? 0 : 1;
