/**
 * Leaves what `plasm.mjs` compiles catalogs to beside it, in `compiled/`, so that its very first start need not:
 * `compile-catalogs.mjs DIST DIRECTORY...`; without arguments those that are published with it, and the samples. It is the program
 * itself that compiles, as it does at a start.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const published = () => dirname(fileURLToPath(import.meta.resolve("@plasm/catalogs/package.json")));

const [dist = `${import.meta.dirname}/dist`, ...given] = process.argv.slice(2);
const ours = () => [published(), join(dist, "samples")].filter((one) => existsSync(one));
const directories = given.length > 0 ? given : ours();

const data = mkdtempSync(join(tmpdir(), "plasm-compiled-"));
try {
  const named = directories.flatMap((directory) => ["--catalogs", directory]);
  const args = [join(dist, "plasm.mjs"), "serve", "--stdio", "--data", data, ...named];
  // Nobody speaks to it, so that it ends as soon as its catalogs are compiled.
  execFileSync(process.execPath, args, {
    env: { PATH: process.env.PATH, HOME: data, NODE_DISABLE_COMPILE_CACHE: "1" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const made = join(data, "compiled");
  if (readdirSync(made).length === 0) throw new Error("no catalog was compiled");
  const compiled = join(dist, "compiled");
  rmSync(compiled, { recursive: true, force: true });
  cpSync(made, compiled, { recursive: true });
  // In a data directory they are its owner's; these are for everybody who runs the program.
  for (const name of readdirSync(compiled)) chmodSync(join(compiled, name), 0o644);
} finally {
  rmSync(data, { recursive: true });
}
