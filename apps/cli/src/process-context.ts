import { buffer } from "node:stream/consumers";
import type { CliContext, Environment } from "./cli-context.ts";
import type { ExitCode } from "./exit-codes.ts";

const line = (text: string): string => (text.endsWith("\n") ? text : `${text}\n`);

/** A reader that has seen enough (`plasm run … | head`) is no error. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}

/** The context of this process. */
export function processContext(env: Environment, endWith: (code: ExitCode) => void): CliContext {
  let guarded = false;
  const guard = (): void => {
    if (guarded) return;
    guarded = true;
    process.stdout.on("error", ignoreClosedPipe);
  };
  return {
    env,
    cwd: process.cwd(),
    out: (text) => {
      guard();
      process.stdout.write(line(text));
    },
    remark: (text) => void process.stderr.write(line(text)),
    readStdin: async () => (process.stdin.isTTY ? null : buffer(process.stdin)),
    endWith,
  };
}
