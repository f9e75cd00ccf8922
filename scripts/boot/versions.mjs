import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

/** The Node that is fetched when the one at hand does not fit `engines`. */
export const nodeVersion = manifest.config.node;

/** The pnpm of `packageManager`, without its name. */
export const pnpmVersion = manifest.packageManager.replace(/^pnpm@/, "");

/** Whether a version such as `v22.19.0` fits `engines.node`, which is always written `^A.B.C || >=D`. */
export const fitsEngines = (version, engines = manifest.engines.node) => {
  const form = /^\^(\d+)\.(\d+)\.(\d+) \|\| >=(\d+)$/.exec(engines);
  if (form === null)
    throw new Error(`package.json: engines.node is not of the form ^A.B.C || >=D: ${engines}`);
  const [major, minor, patch, newest] = form.slice(1).map(Number);
  const [a, b, c] = version.replace(/^v/, "").split(/[.-]/).map(Number);
  return a >= newest || (a === major && (b > minor || (b === minor && c >= patch)));
};
