/**
 * From a fresh clone to the first row of an API behind a sign-in, in `pnpm prove`: this commit is cloned, installed and built as a stranger
 * does it; its program is started by a real MCP client; the first call leads the client's user to one page, and goes on to its row when they
 * have consented, without another call and without a restart.
 *
 *     node scripts/prove-first-row.mjs
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { capture } from "./boot/capture.mjs";
import { root } from "./boot/versions.mjs";

const directory = mkdtempSync(join(tmpdir(), "plasm-fresh-"));
const clone = join(directory, "plasm");

/** Runs one step; ends all with what it said if it fails. */
const step = async (what, command, cwd) => {
  const began = performance.now();
  const { code, stdout, stderr } = await capture(command, { cwd });
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  if (code !== 0)
    throw new Error(`${what} failed with ${code}:\n${stdout}\n${stderr}`.slice(-4000));
  console.log(`prove-first-row: ${what} in ${seconds} s`);
  return stdout;
};

try {
  await step("cloned", ["git", "clone", "--quiet", root, clone], directory);
  await step("installed", [process.execPath, "scripts/boot.mjs", "install"], clone);
  await step("built", [process.execPath, "scripts/build.mjs"], clone);
  const main = [process.execPath, "--conditions=@plasm/source", "e2e/src/sign-in/first-row.ts"];
  const stdout = await step("first row", [...main, clone], root);
  const { holds, consents, ms } = JSON.parse(stdout.trimEnd().split("\n").at(-1));
  console.log(
    `${holds ? "holds" : "FAILS"}  first call to first row with ${consents} consent and no restart, ${ms} ms after the client's start`,
  );
} catch (thrown) {
  console.error(thrown.message);
  process.exitCode = 1;
} finally {
  rmSync(directory, { recursive: true, force: true });
}
