/**
 * Every export of a published package is documented, and docs/api, made of that, is up to date. `--write`
 * brings it up to date; directories as arguments narrow it. Needs a build.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { published } from "../../tooling/rooms/index.mjs";
import { apiIndex, apiPage, pageName } from "../lib/api-page.mjs";
import { firstDifference } from "../lib/first-difference.mjs";
import { entriesOf, publicSymbols } from "../lib/public-symbols.mjs";
import { root } from "../lib/workspace.mjs";

const flags = process.argv.slice(2).filter((argument) => argument.startsWith("--"));
const given = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const whole = given.length === 0;

const entries = publicSymbols((whole ? published : given).flatMap(entriesOf));
const undocumented = entries.flatMap(({ name, symbols }) =>
  symbols.filter(({ text }) => text === "").map((symbol) => `${name}: ${symbol.name}`),
);

const directory = join(root, "docs/api");
const pages = entries.map((entry) => ({ file: pageName(entry.name), text: apiPage(entry) }));
if (whole) pages.push({ file: "README.md", text: apiIndex(entries) });

const stale = ({ file, text }) => {
  const path = join(directory, file);
  const before = existsSync(path) ? readFileSync(path, "utf8") : "";
  return before === text ? [] : [`docs/api/${file} is not fresh\n${firstDifference(before, text)}`];
};

if (flags.includes("--write")) {
  if (whole) rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  for (const { file, text } of pages) writeFileSync(join(directory, file), text);
  console.log(`wrote ${pages.length} pages of docs/api`);
}
const faults = [
  ...undocumented.map((symbol) => `${symbol} is exported and not documented`),
  ...pages.flatMap(stale),
];
for (const fault of faults) console.log(fault);
const count = entries.reduce((sum, { symbols }) => sum + symbols.length, 0);
console.log(`${count} exports of ${entries.length} entry points, ${faults.length} faults`);
process.exitCode = faults.length === 0 && count > 0 ? 0 : 1;
