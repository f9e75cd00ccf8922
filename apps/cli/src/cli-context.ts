import type { ExitCode } from "./exit-codes.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** What a command has of the process it runs in. */
export interface CliContext {
  readonly env: Environment;
  readonly cwd: string;
  /** The answer of the command, to stdout; a last newline is added where it lacks. */
  out(text: string): void;
  /** Remarks, to stderr. */
  remark(text: string): void;
  /** What stdin holds, or null if a person sits there. */
  readStdin(): Promise<Uint8Array | null>;
  /** What the process is to end with, unless the command fails. */
  endWith(code: ExitCode): void;
}
