/**
 * Fails where what is shipped has a known advisory of high or critical severity, unless advisories.json lists it with a
 * reason and a day until which that holds. Where no source of advisories is reached it says so and passes: a gate
 * that is red without a network would be switched off. `--list FILE` takes another list.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { capture } from "../boot/capture.mjs";
import { judgeAdvisories, readListed } from "../lib/advisories.mjs";
import { root } from "../lib/workspace.mjs";

const at = process.argv.indexOf("--list");
const file = at < 0 ? join(import.meta.dirname, "advisories.json") : process.argv[at + 1];
const listed = readListed(readFileSync(file, "utf8"));

// Its exit code says only that there is something, of whatever severity, or that nothing could be asked.
const { stdout, stderr } = await capture(["pnpm", "audit", "--prod", "--json"], {
  cwd: root,
  env: process.env,
});
const { lines, failed } = judgeAdvisories({ stdout, stderr, listed, today: new Date() });
for (const line of lines) console.log(line);
process.exitCode = failed ? 1 : 0;
