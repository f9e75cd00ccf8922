import { join } from "node:path";
import type { CliContext } from "../cli-context.ts";
import { writeFileOf } from "./json-file.ts";

/**
 * Shows an answer, and keeps it as the last of its kind under `outputs/` (SURF-22). That it cannot
 * be kept is a remark only: what was done is done.
 */
export async function giveOutput(
  cli: CliContext,
  workspace: string,
  name: string,
  text: string,
): Promise<void> {
  cli.out(text);
  try {
    await writeFileOf(join(workspace, "outputs", name), text);
  } catch (thrown) {
    if (!(thrown instanceof Error)) throw thrown;
    cli.remark(`plasm: ${thrown.message}`);
  }
}
