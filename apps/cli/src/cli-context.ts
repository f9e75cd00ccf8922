import type { Environment } from "@plasm/host";
import type { ExitCode, StopSignal } from "./cli-error.ts";

export type { Environment } from "@plasm/host";

/** A terminal that remarks are read on. */
export interface Screen {
  /** whether a line can be rewritten in place */
  readonly rewrites: boolean;
  /** how many characters a line has */
  columns(): number;
  write(text: string): void;
}

/** What the program has of the process it runs in. */
export interface ProcessContext {
  readonly env: Environment;
  readonly cwd: string;
  /** The answer of the command, to stdout; a last newline is added where it lacks. */
  out(text: string): void;
  /** Waits until stdout has taken what it was given; false once nobody reads it. */
  drained(): Promise<boolean>;
  /** Remarks, to stderr. */
  remark(text: string): void;
  /** stderr, if a person reads it */
  readonly screen: Screen | null;
  /** What stdin holds, or null if a person sits there. */
  readStdin(): Promise<Uint8Array | null>;
  /** Asks the person at stdin for a line; null where nobody is, or none comes before `signal` aborts. */
  ask(question: string, signal: AbortSignal): Promise<string | null>;
  /** Whether somebody is there to be asked. */
  readonly attended: boolean;
  /** Calls `heard` for each signal to stop, until the function it gives is called. */
  onStop(heard: (signal: StopSignal) => void): () => void;
  /** Ends the process at once. */
  leave(code: ExitCode): void;
}

/** What a command works with. */
export interface CliContext extends ProcessContext {
  /** What the process is to end with, unless the command fails. */
  endWith(code: ExitCode): void;
}
