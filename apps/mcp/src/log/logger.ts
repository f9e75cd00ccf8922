import { visibleLines } from "@plasm/core";
import { destination, type DestinationStream, type Logger, pino } from "pino";
import type { CallLog } from "./call-log.ts";

const STDERR = 2;

/** A stream of records, in which nothing acts on the terminal that shows them: JSON that says the same. */
export const plainRecords = (to: DestinationStream): DestinationStream => ({
  write: (line) => to.write(visibleLines(line)),
});

/** A logger on stderr: stdout belongs to the protocol, or to whoever started the program. */
export const stderrLogger = (level: string): Logger =>
  pino({ name: "plasm", base: null, level }, plainRecords(destination({ fd: STDERR, sync: true })));

/** SURF-28's records as a logger's INFO lines. */
export const callLogTo =
  (logger: Logger): CallLog =>
  ({ name, tokensOut, ...rest }) =>
    logger.info({ ...rest, tokens_out: tokensOut }, name);
