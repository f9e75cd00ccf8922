import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import type { PlasmCommand } from "../harness/plasm-command.ts";

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** All that a command writes on a real pseudo-terminal, which is `script`'s, to its end. */
export async function screenOf({ command, args, env }: PlasmCommand): Promise<string> {
  const line = `stty cols 200; exec ${[command, ...args].map(quoted).join(" ")}`;
  const child = spawn("script", ["-qefc", line, "/dev/null"], {
    env: { ...env, SHELL: "/bin/sh", TERM: "dumb" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const failed = new Promise<never>((_resolve, reject) => child.once("error", reject));
  const screen = await Promise.race([text(child.stdout), failed]);
  // The terminal itself ends lines by CR and LF.
  return screen.replaceAll("\r\n", "\n");
}
