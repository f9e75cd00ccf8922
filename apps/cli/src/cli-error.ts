import { EXIT, type ExitCode } from "./exit-codes.ts";

/** Why a command ends without doing its work: what to say on stderr, and the exit code. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** The command line, or what the workspace holds for it, does not make sense. */
export const usageError = (message: string): CliError => new CliError(message, EXIT.usage);

export const failedError = (message: string, cause?: unknown): CliError =>
  new CliError(message, EXIT.failed, cause === undefined ? {} : { cause });
