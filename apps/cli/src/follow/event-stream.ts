import { setTimeout } from "node:timers/promises";
import type { CliError } from "../cli-error.ts";
import { ServerProblemError } from "../server/problem-error.ts";

/** Resolves after so many milliseconds, or when the signal aborts. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>;

export const pause: Pause = (ms, signal) =>
  setTimeout(ms, undefined, { signal }).catch(() => undefined);

/** A server sends a comment every 15 s (OPS-22): one that is silent for three of them is gone. */
const SILENCE_MS = 45_000;

/** Whether the same call may be answered later: the connection broke, or the server is not itself. */
export const isPassing = (thrown: unknown): thrown is CliError =>
  !(thrown instanceof ServerProblemError) || thrown.status >= 500;

/** The next of a stream, or an error when nothing at all has come for too long. */
export async function nextOf<T>(
  iterator: AsyncIterator<T>,
  { pause, signal }: { readonly pause: Pause; readonly signal: AbortSignal },
): Promise<IteratorResult<T>> {
  const over = new AbortController();
  const silent = pause(SILENCE_MS, AbortSignal.any([signal, over.signal])).then(() => "silent");
  try {
    const next = iterator.next();
    const first = await Promise.race([next, silent]);
    if (typeof first !== "string") return first;
    next.catch(() => undefined);
    throw new Error("The stream is silent");
  } finally {
    over.abort();
  }
}

/** A server-sent event: its type, id and data; null for a comment, which only says that the connection stands. */
export type ReceivedEvent = {
  readonly event: string;
  readonly id: string | null;
  readonly data: string;
} | null;

/** A field of an event stream without the one blank after its colon. */
function fieldOf(line: string): readonly [name: string, value: string] {
  const colon = line.indexOf(":");
  if (colon < 0) return [line, ""];
  return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, "")];
}

function eventOf(lines: readonly string[]): ReceivedEvent {
  const fields = lines.map(fieldOf);
  const last = (name: string): string | undefined =>
    fields.findLast((field) => field[0] === name)?.[1];
  const data = fields.filter(([name]) => name === "data").map(([, value]) => value);
  if (data.length === 0) return null;
  return { event: last("event") ?? "message", id: last("id") ?? null, data: data.join("\n") };
}

const LINE_END = /\r\n|\r|\n/;

/**
 * Reads a stream of server-sent events, however its text is cut, each piece once; an event that is not whole is left
 * out.
 */
export async function* readEvents(texts: AsyncIterable<string>): AsyncGenerator<ReceivedEvent> {
  let lines: string[] = [];
  /** of the line that has no end yet */
  let pieces: string[] = [];
  let isCut = false;
  for await (const text of texts) {
    if (text === "") continue;
    // A line end of two characters may be cut between them.
    const fresh = isCut && text.startsWith("\n") ? text.slice(1) : text;
    isCut = text.endsWith("\r");
    const [first = "", ...others] = fresh.split(LINE_END);
    pieces.push(first);
    for (const next of others) {
      const line = pieces.join("");
      pieces = [next];
      if (line !== "") lines.push(line);
      else if (lines.length > 0) {
        yield eventOf(lines);
        lines = [];
      }
    }
  }
}
