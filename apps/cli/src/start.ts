import { createInterface } from "node:readline";
import { buffer } from "node:stream/consumers";
import { visibleLines } from "@plasm/core/internal";
import { run } from "./run.ts";
import type { Environment, ProcessContext, Screen } from "./cli-context.ts";
import type { StopSignal } from "./cli-error.ts";

/** Runs the command line of this process; its exit code is the process's (SURF-22). */
export async function start(): Promise<void> {
  process.exitCode = await run(process.argv.slice(2), processContext(process.env));
}

const line = (text: string): string => (text.endsWith("\n") ? text : `${text}\n`);

/**
 * What stdout and stderr are given: nothing that acts on whoever shows it. A pipe or a file ends at a terminal, too; JSON
 * stays the same JSON.
 */
export const shownText = (text: string): string => line(visibleLines(text));

/** A reader that has seen enough (`plasm run … | head`) is no error. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}

/** Waits while a pipe is full: what is printed faster than it is read would be held in memory. */
async function drained(): Promise<boolean> {
  const { stdout } = process;
  if (stdout.writableNeedDrain) {
    await new Promise<void>((resolve) => {
      const over = (): void => {
        for (const event of ["drain", "close", "error"]) stdout.removeListener(event, over);
        resolve();
      };
      for (const event of ["drain", "close", "error"]) stdout.on(event, over);
    });
  }
  return stdout.writable && stdout.errored === null;
}

const SIGNALS: readonly StopSignal[] = ["SIGINT", "SIGTERM", "SIGHUP"];

function onStop(heard: (signal: StopSignal) => void): () => void {
  for (const signal of SIGNALS) process.on(signal, heard);
  return () => {
    for (const signal of SIGNALS) process.removeListener(signal, heard);
  };
}

/** What a terminal has that does not say how wide it is. */
const USUAL_COLUMNS = 80;

function screenOf(env: Environment): Screen | null {
  const { stderr } = process;
  if (!stderr.isTTY) return null;
  return {
    rewrites: env["TERM"] !== "dumb",
    columns: () => stderr.columns || USUAL_COLUMNS,
    write: (text) => void stderr.write(text),
  };
}

/** A line as the terminal edits it: Ctrl-C there stays a signal to this process. */
function ask(question: string, signal: AbortSignal): Promise<string | null> {
  process.stderr.write(question);
  const lines = createInterface({ input: process.stdin, terminal: false });
  return new Promise((resolve) => {
    const close = (): void => lines.close();
    signal.addEventListener("abort", close, { once: true });
    lines.once("line", (typed) => {
      resolve(typed);
      close();
    });
    lines.once("close", () => {
      signal.removeEventListener("abort", close);
      process.stdin.unref();
      resolve(null);
    });
  });
}

/** The context of this process. */
function processContext(env: Environment): ProcessContext {
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
      process.stdout.write(shownText(text));
    },
    drained,
    remark: (text) => void process.stderr.write(shownText(text)),
    screen: screenOf(env),
    readStdin: async () => (process.stdin.isTTY ? null : buffer(process.stdin)),
    ask,
    attended: process.stdin.isTTY && process.stderr.isTTY,
    onStop,
    leave: (code) => process.exit(code),
  };
}
