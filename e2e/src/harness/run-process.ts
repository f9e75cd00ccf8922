import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import type { PlasmCommand } from "./plasm-command.ts";

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command to its end, its stdin empty; in `cwd`, if that is given. */
export async function runProcess(
  { command, args, env }: PlasmCommand,
  cwd?: string,
): Promise<Ended> {
  const child = spawn(command, [...args], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const code = new Promise<number | null>((resolve, reject) => {
    child.once("close", resolve);
    child.once("error", reject);
  });
  const [stdout, stderr, ended] = await Promise.all([text(child.stdout), text(child.stderr), code]);
  return { code: ended, stdout, stderr };
}
