import { failedError } from "../cli-error.ts";
import type { ServerAnswer, ServerClient } from "./server-client.ts";

/** An answer that must be JSON of a certain shape. Throws CliError if another server sent it. */
export function jsonAnswer<T>(
  { url }: ServerClient,
  { text }: ServerAnswer,
  accepts: (value: unknown) => value is T,
): T {
  try {
    const value: unknown = JSON.parse(text);
    if (accepts(value)) return value;
  } catch {
    // Said below.
  }
  throw failedError(
    `${url} does not answer as a Plasm server does. Name the right one: plasm init --server URL`,
  );
}
