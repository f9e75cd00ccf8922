import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { root } from "../lib/workspace.mjs";

const plasm = join(root, "apps/cli/src/main.ts");

/** The options that `plasm serve` and `plasm keys add` know, as they say themselves. */
export const optionsOf = (...command) => {
  const args = ["--conditions=@plasm/source", plasm, ...command, "--help"];
  const help = execFileSync(process.execPath, args, { encoding: "utf8" });
  return new Set([...help.matchAll(/^ {2,}(?:-\w, )?(--[a-z-]+)/gm)].map(([, option]) => option));
};
