/** What ends a process from outside. */
export type StopSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

/** What the process ends with (SURF-22); by a signal 128 and its number, as a shell tells it. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  review: 3,
  partial: 4,
  lost: 5,
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The exit code of a command that a signal has ended. */
export function exitOfSignal(signal: StopSignal): ExitCode {
  switch (signal) {
    case "SIGHUP":
      return EXIT.hungUp;
    case "SIGINT":
      return EXIT.interrupted;
    case "SIGTERM":
      return EXIT.terminated;
  }
}

/**
 * The exit code of a problem by its code (SURF-18, SURF-22). An unknown session is a lost one
 * here: the workspace has its address from the server itself.
 */
export function exitOfProblem(code: string): ExitCode {
  switch (code) {
    case "plasm-bad-request":
      return EXIT.usage;
    case "plasm-review-required":
    case "plasm-approval-required":
      return EXIT.review;
    case "plasm-session-lost":
    case "plasm-unknown-session":
      return EXIT.lost;
    default:
      return EXIT.failed;
  }
}

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
