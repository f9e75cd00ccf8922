import { spawn } from "node:child_process";
import { keepOutput } from "../child-output.ts";

export interface Command {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** Runs a command to its end. Throws with the end of its output if it fails or takes longer than `timeoutMs`. */
export function runToEnd({ argv, cwd, env, timeoutMs }: Command): Promise<void> {
  const [file, ...args] = argv;
  const child = spawn(file, args, {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: timeoutMs,
    killSignal: "SIGKILL",
  });
  const output = keepOutput(child);
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code, signal) => {
      if (code === 0) return done();
      const how = signal === null ? `exit code ${code}` : `${signal} (limit ${timeoutMs} ms)`;
      fail(new Error(`${argv.join(" ")} failed with ${how}:\n${output()}`));
    });
  });
}
