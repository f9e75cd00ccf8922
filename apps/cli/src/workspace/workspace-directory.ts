import { join, resolve } from "node:path";
import type { CliContext } from "../cli-context.ts";

/** Where this client keeps its profile, session and outputs: `.plasm/`, or `$PLASM_WORKSPACE` (SURF-22). */
export function workspaceDirectory({ env, cwd }: Pick<CliContext, "env" | "cwd">): string {
  const chosen = env["PLASM_WORKSPACE"];
  return chosen === undefined || chosen === "" ? join(cwd, ".plasm") : resolve(cwd, chosen);
}
