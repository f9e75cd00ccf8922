import type { CliContext } from "../cli-context.ts";
import { CliError, type ExitCode, exitOfSignal, type StopSignal } from "../cli-error.ts";

/** A command that a signal has ended: what to say, and 128 and the signal's number. */
export class StoppedError extends CliError {}

/**
 * Makes a call that a signal to stop ends, its connection too, which the server takes as a cancel (OPS-11).
 * Throws StoppedError with what `told` says then.
 */
export async function untilStopped<T>(
  cli: Pick<CliContext, "onStop">,
  told: (signal: StopSignal) => string,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  let release: () => void = () => undefined;
  const stopped = new Promise<never>((_resolve, reject) => {
    release = cli.onStop((signal) => reject(new StoppedError(told(signal), exitOfSignal(signal))));
  });
  const called = call(over.signal);
  try {
    return await Promise.race([called, stopped]);
  } finally {
    release();
    over.abort();
    called.catch(() => undefined);
  }
}

/** What those who leave an operation must know to come back. */
export const goesOnText = (handle: string): string =>
  `${handle} goes on by itself. How far it is: plasm run -e 'wait(${handle})'; stop it: plasm run -e 'cancel(${handle})'`;

/** What can be done about an operation that is followed. */
export interface Followed {
  readonly handle: string;
  /** Leaves the screen to a question, and takes it back. */
  hold(): void;
  goOn(): void;
  /** Asks the server to cancel it. */
  cancel(): Promise<void>;
}

/** Whether and how following was stopped. */
export interface Stops {
  /** resolves with the exit code when the operation is left to itself */
  readonly left: Promise<ExitCode>;
  /** the exit code of a cancel that was asked for here */
  cancelled(): ExitCode | null;
  end(): void;
}

const QUESTION = (handle: string): string =>
  `${handle} goes on by itself. c cancels it, Enter leaves it running, Ctrl-C leaves at once: `;

const asksCancel = (typed: string): boolean => /^c(ancel)?$/i.test(typed.trim());

/**
 * Watches for signals while an operation is followed. The first Ctrl-C asks whoever is there whether to
 * cancel it or to leave it running; where nobody is, and for other signals, it is left running and its
 * handle told. A second signal ends the process at once.
 */
export function watchStops(cli: CliContext, followed: Followed): Stops {
  const { handle } = followed;
  const over = new AbortController();
  let [asked, cancelled]: [boolean, ExitCode | null] = [false, null];
  let leave: (code: ExitCode) => void = () => undefined;
  const left = new Promise<ExitCode>((resolve) => (leave = resolve));
  const askPerson = async (code: ExitCode): Promise<void> => {
    followed.hold();
    const typed = await cli.ask(QUESTION(handle), over.signal);
    // It has ended meanwhile: what follows begins on a line of its own.
    if (over.signal.aborted) return cli.remark("");
    if (typed !== null && asksCancel(typed)) {
      cancelled = code;
      followed.goOn();
      return followed.cancel();
    }
    cli.remark(`${typed === null ? "\n" : ""}${goesOnText(handle)}`);
    leave(code);
  };
  const release = cli.onStop((signal) => {
    const code = exitOfSignal(signal);
    if (asked) {
      followed.hold();
      cli.remark("");
      return cli.leave(code);
    }
    asked = true;
    if (signal === "SIGINT" && cli.attended) return void askPerson(code);
    followed.hold();
    cli.remark(`plasm: ${signal}. ${goesOnText(handle)}`);
    leave(code);
  });
  return {
    left,
    cancelled: () => cancelled,
    end: () => {
      release();
      over.abort();
    },
  };
}
