import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { COMPILE_CACHE, plasmCommand, type Ended } from "./spawn-plasm.ts";

export interface RunIn {
  readonly cwd: string;
  /** what stdin holds; nothing by default */
  readonly input?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs `plasm` as a process of its own to its end, with no setting of this one. */
export async function runPlasm(
  args: readonly string[],
  { cwd, input = "", env }: RunIn,
): Promise<Ended> {
  const { command, args: own } = plasmCommand;
  const child = spawn(command, [...own, ...args], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", NODE_COMPILE_CACHE: COMPILE_CACHE, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const closed = new Promise<number | null>((resolve) => child.on("close", resolve));
  // A program that does not read its stdin closes it early.
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    closed,
  ]);
  return { code, stdout, stderr };
}
