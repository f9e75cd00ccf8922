import { visible } from "@plasm/core";
import type { CliContext, Screen } from "../cli-context.ts";

/** Where the events of an operation are shown. */
export interface ProgressDisplay {
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
