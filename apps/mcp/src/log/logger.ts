import { destination, pino, type Logger } from "pino";
import type { CallLog } from "./call-log.ts";

const STDERR = 2;

/** A logger on stderr: stdout belongs to the protocol, or to whoever started the program. */
export const stderrLogger = (level: string): Logger =>
  pino({ name: "plasm", base: null, level }, destination({ fd: STDERR, sync: true }));

/** SURF-28's records as a logger's INFO lines. */
export const callLogTo =
  (logger: Logger): CallLog =>
  ({ name, tokensOut, ...rest }) =>
    logger.info({ ...rest, tokens_out: tokensOut }, name);
