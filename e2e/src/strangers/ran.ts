import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";

/** What a process that packages start may know of the one that runs the tests. */
const OURS = /^(?:npm_(?:lifecycle|package|command|execpath|node_execpath)|NODE_OPTIONS$|VITEST)/;

/** The environment of somebody who has nothing of this workspace. */
export const strangersEnv = (
  more: Readonly<Record<string, string>> = {},
): Record<string, string | undefined> => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !OURS.test(name))),
  ...more,
});

/** Runs a command to its good end, which it must reach within so many ms, and gives what it printed; else throws with all of it. */
export async function ran(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string | undefined>> = strangersEnv(),
  timeout = 600_000,
): Promise<string> {
  // A group of its own: what it has started ends with it, and holds no pipe open.
  const stdio = ["ignore", "pipe", "pipe"] as const;
  const child = spawn(command, [...args], { cwd, env, detached: true, stdio: [...stdio] });
  const late = setTimeout(() => {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  }, timeout);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("close", resolve);
    child.once("error", reject);
  });
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    ended,
  ]).finally(() => clearTimeout(late));
  if (code === 0) return stdout;
  throw new Error(`${command} ${args.join(" ")} ended with ${code}\n${stdout}${stderr}`);
}
