/**
 * Compares etc/<name>.api.md with the built declarations of core, runtime and agent-core (or of the
 * packages given as arguments). `--write` brings the reports up to date.
 */
import { mkdirSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { apiReport } from "../lib/api-report.mjs";
import { firstDifference } from "../lib/first-difference.mjs";
import { root } from "../lib/workspace.mjs";

const flags = process.argv.slice(2).filter((argument) => argument.startsWith("--"));
const given = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const names = given.length > 0 ? given : ["core", "runtime", "agent-core"];

const reports = names.map((name) => {
  const declarations = join(root, "packages", name, "dist/index.d.ts");
  if (!existsSync(declarations))
    throw new Error(`${declarations} is missing: run pnpm build first`);
  return {
    path: `etc/${name}.api.md`,
    text: apiReport(`@plasm/${name}`, readFileSync(declarations, "utf8"), (shared) =>
      readFileSync(join(dirname(declarations), shared.replace(/js$/, "d.ts")), "utf8"),
    ),
  };
});

if (flags.includes("--write")) {
  mkdirSync(join(root, "etc"), { recursive: true });
  for (const { path, text } of reports) writeFileSync(join(root, path), text);
  console.log(`wrote ${reports.map(({ path }) => path).join(", ")}`);
} else {
  const changed = reports.flatMap(({ path, text }) => {
    const before = existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : "";
    return before === text
      ? []
      : [`${path}: the public surface changed\n${firstDifference(before, text)}`];
  });
  for (const line of changed) console.log(line);
  console.log(`${reports.length} reports, ${changed.length} changed`);
  process.exitCode = changed.length === 0 ? 0 : 1;
}
