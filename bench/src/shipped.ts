import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Where a build leaves `plasm` in one file. */
export const shippedIn = (dist: string): string => join(dist, "plasm.mjs");

/** Builds `plasm` in one file as it is shipped, with what these catalogs compile to beside it. */
export function buildShipped(dist: string, catalogs: readonly string[]): void {
  const cli = dirname(createRequire(import.meta.url).resolve("@plasm/cli/package.json"));
  execFileSync(process.execPath, [join(cli, "bundle.mjs"), dist]);
  execFileSync(process.execPath, [join(cli, "compile-catalogs.mjs"), dist, ...catalogs]);
}
