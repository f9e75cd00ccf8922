import { visible } from "@plasm/core/internal";
import type { CliContext, Screen } from "../cli-context.ts";
import { CliError, type ExitCode } from "../cli-error.ts";
import { ServerProblemError } from "../server/problem-error.ts";
import type { Accept, ServerAnswer, ServerClient } from "../server/server-client.ts";
import { pause } from "./event-stream.ts";
import { followOperation } from "./follow-operation.ts";
import { goesOnText, StoppedError, untilStopped, watchStops } from "./stopping.ts";

/** An operation that a session has accepted, and how its results are wanted. */
export interface AcceptedRun {
  readonly client: ServerClient;
  /** path of the session, where programs go */
  readonly session: string;
  /** what `wait` and `cancel` take */
  readonly handle: string;
  readonly accept: Accept;
}

const operationPath = ({ session, handle }: AcceptedRun): string =>
  `${session}/operations/${encodeURIComponent(handle)}`;

async function showAll(
  run: AcceptedRun,
  display: ProgressDisplay,
  signal: AbortSignal,
): Promise<null> {
  const following = { client: run.client, path: operationPath(run), pause, signal };
  for await (const { line } of followOperation(following)) display.show(line);
  return null;
}

/** Asks to cancel it; what comes of that is told by its events. */
async function cancel(
  cli: CliContext,
  { client, session, handle }: AcceptedRun,
  display: ProgressDisplay,
): Promise<void> {
  try {
    await client.post(session, { program: `cancel(${handle})` }, "text/plain");
  } catch (thrown) {
    if (!(thrown instanceof CliError)) throw thrown;
    display.hold();
    cli.remark(`plasm: ${handle} could not be cancelled: ${thrown.message}`);
    display.goOn();
  }
}

/** Its results, as the run itself would have answered (OPS-15). */
function endOf(cli: CliContext, run: AcceptedRun): Promise<ServerAnswer> {
  const { client, session, handle, accept } = run;
  const body = { program: `wait(${handle})`, wait: true };
  const told = (): string => `plasm: stopped. Its results: plasm run -e 'wait(${handle})'`;
  return untilStopped(cli, told, (signal) => client.post(session, body, accept, signal));
}

/**
 * Follows an operation to its end, showing its events on stderr, and gives what its run answers (OPS-15).
 * Throws what it failed with, and StoppedError when it was left running or cancelled by a signal.
 */
export async function followRun(cli: CliContext, run: AcceptedRun): Promise<ServerAnswer> {
  const display = progressDisplay(cli);
  const gone = new AbortController();
  const stops = watchStops(cli, {
    handle: run.handle,
    hold: display.hold,
    goOn: display.goOn,
    cancel: () => cancel(cli, run, display),
  });
  const shown = showAll(run, display, gone.signal);
  let left: ExitCode | null;
  try {
    left = await Promise.race([shown, stops.left]);
  } catch (thrown) {
    if (thrown instanceof ServerProblemError || !(thrown instanceof CliError)) throw thrown;
    throw new CliError(`${thrown.message}\n${goesOnText(run.handle)}`, thrown.exitCode);
  } finally {
    gone.abort();
    shown.catch(() => undefined);
    stops.end();
    display.end();
  }
  if (left !== null) throw new StoppedError("", left);
  try {
    return await endOf(cli, run);
  } catch (thrown) {
    const code = stops.cancelled();
    if (code === null || !(thrown instanceof ServerProblemError)) throw thrown;
    throw new StoppedError(thrown.message, code);
  }
}

/** Where the events of an operation are shown. */
interface ProgressDisplay {
  show(line: string): void;
  /** Leaves the screen to something else; what comes meanwhile is shown afterwards. */
  hold(): void;
  goOn(): void;
  /** Leaves nothing behind that is only of the moment. */
  end(): void;
}

/** Back to the start of the line, and nothing on it. */
const CLEAR = "\r\u001b[K";

/** Signs that take two columns: East Asian scripts and pictures. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

/** As much of a text as `columns` hold, so that it is one line on the screen. */
export function fitting(text: string, columns: number): string {
  let room = columns;
  let fits = "";
  for (const sign of text) {
    room -= WIDE.test(sign) ? 2 : 1;
    if (room < 0) break;
    fits += sign;
  }
  return fits;
}

/** One line that is rewritten in place. */
function rewritten(screen: Screen): ProgressDisplay {
  let last: string | null = null;
  let held = false;
  const draw = (): void => {
    // The last column stays free: some terminals go to the next line there.
    if (last !== null) screen.write(`${CLEAR}${fitting(last, screen.columns() - 1)}`);
  };
  return {
    show: (line) => {
      last = visible(line);
      if (!held) draw();
    },
    hold: () => {
      held = true;
      if (last !== null) screen.write(CLEAR);
    },
    goOn: () => {
      held = false;
      draw();
    },
    end: () => {
      if (!held && last !== null) screen.write(CLEAR);
      last = null;
    },
  };
}

/** One line an event; the same line twice is one. */
function listed(cli: Pick<CliContext, "remark">): ProgressDisplay {
  let last: string | null = null;
  return {
    show: (line) => {
      if (line === last) return;
      last = line;
      cli.remark(visible(line));
    },
    hold: () => undefined,
    goOn: () => undefined,
    end: () => undefined,
  };
}

/** The display that suits stderr: one line rewritten in place on a terminal, else one line an event. */
export const progressDisplay = (cli: Pick<CliContext, "screen" | "remark">): ProgressDisplay =>
  cli.screen?.rewrites === true ? rewritten(cli.screen) : listed(cli);
