import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { COMPILE_CACHE, CONDITIONS } from "../../harness/plasm-command.ts";
import type { Noted, WriterQuestion } from "./messages.ts";

const MAIN = fileURLToPath(new URL("./writer-main.ts", import.meta.url));

/** How many calls a trace has, and what they come to. */
export interface Sum {
  readonly calls: number;
  readonly failed_calls: number;
  readonly rows: number;
}

export const plus = (sum: Sum, { fact, times }: Noted): Sum => ({
  calls: sum.calls + times,
  failed_calls: sum.failed_calls + (fact.outcome === "ok" ? 0 : times),
  rows: sum.rows + fact.rows * times,
});

/** What a process says next, or how it ends. */
const word = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    const hear = (said: unknown): void => {
      child.off("message", hear).off("exit", end);
      resolve(String(said));
    };
    const end = (code: number | null, signal: string | null): void => hear(signal ?? code);
    child.on("message", hear).on("exit", end);
  });

/** A process that writes traces, and what of it is surely written. */
export class Writer {
  readonly #dataDir: string;
  #child: ChildProcess | null = null;
  /** noted since the last write that it told of, in order */
  #open: readonly Noted[] = [];

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  async start(): Promise<void> {
    const child = fork(MAIN, [this.#dataDir], {
      execArgv: [...CONDITIONS],
      env: { PATH: process.env["PATH"] ?? "", NODE_COMPILE_CACHE: COMPILE_CACHE },
    });
    this.#child = child;
    const said = await word(child);
    if (said !== "ready") throw new Error(`a writer ended by ${said}`);
  }

  /**
   * Has it do something, and gives what is written of all that was not known to be: one list, or where it died
   * each that there may be, for it writes in order and a transaction is whole. One that died is started anew.
   */
  async ask(question: WriterQuestion): Promise<readonly (readonly Noted[])[]> {
    const child = this.#child;
    if (child === null) throw new Error("the writer is not started");
    const open = question.noted === null ? this.#open : [...this.#open, question.noted];
    const said = word(child);
    child.send(question);
    const survived = (await said) === "done";
    if (!survived && child.signalCode !== "SIGKILL")
      throw new Error(`a writer ended by ${await said}`);
    const decided = question.write || !survived;
    this.#open = decided ? [] : open;
    if (!survived) await this.start();
    if (!decided) return [[]];
    return survived ? [open] : [...open, null].map((_, written) => open.slice(0, written));
  }

  async end(): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    this.#child = null;
    const gone = once(child, "exit");
    child.disconnect();
    await gone;
  }
}
