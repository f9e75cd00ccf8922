import type { CliError } from "../cli-error.ts";
import { ServerProblemError } from "../server/problem-error.ts";
import { jsonAnswer, type ServerClient } from "../server/server-client.ts";
import { hasTextMembers, isJsonObject } from "../workspace/json-file.ts";

/** An event of an operation as its wire line (OPS-18). */
export interface OperationEvent {
  /** number of the event within the operation, null if it is not known */
  readonly id: number | null;
  readonly line: string;
  /** nothing comes after it */
  readonly ended: boolean;
}

/** What following needs of the world. */
export interface FollowOptions {
  readonly client: ServerClient;
  /** path of the operation, as its acceptance gave it */
  readonly path: string;
  /** aborts when nobody follows any more */
  readonly signal: AbortSignal;
  /** Resolves after so many milliseconds, or when the signal aborts. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
}

/** A server sends a comment every 15 s (OPS-22): one that is silent for three of them is gone. */
const SILENCE_MS = 45_000;
const RETRY_MS = 1_000;
/** Streams in a row that bring nothing before polling is tried. */
const FRUITLESS = 3;
/** OPS-19 */
const POLL_MS = 3_000;
/** Polls in a row without an answer before the server counts as gone. */
const MOST_LOST = 20;

/** Whether the same call may be answered later: the connection broke, or the server is not itself. */
const isPassing = (thrown: unknown): thrown is CliError =>
  !(thrown instanceof ServerProblemError) || thrown.status >= 500;

const isWhole = (text: string | null): text is string => text !== null && /^\d{1,15}$/.test(text);

/** The next of a stream, or an error when nothing at all has come for too long. */
async function nextOf<T>(
  iterator: AsyncIterator<T>,
  { pause, signal }: FollowOptions,
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

/** One connection's events; null where no stream is to be had. */
async function* streamed(
  following: FollowOptions,
  after: number | null,
): AsyncGenerator<OperationEvent | null> {
  const { client, path } = following;
  const gone = new AbortController();
  const signal = AbortSignal.any([following.signal, gone.signal]);
  try {
    const texts = await client.events(`${path}/stream`, after, signal);
    if (texts === null) return yield null;
    const events = readEvents(texts)[Symbol.asyncIterator]();
    for (;;) {
      const next = await nextOf(events, following);
      if (next.done === true) return;
      if (next.value === null) continue;
      const { event, id, data } = next.value;
      yield { id: isWhole(id) ? Number(id) : null, line: data, ended: event === "terminal" };
    }
  } finally {
    gone.abort();
  }
}

interface View {
  readonly line: string;
  readonly op: Readonly<Record<string, unknown>>;
}

const isView = (value: unknown): value is View =>
  hasTextMembers(value, ["line"]) && isJsonObject((value as unknown as Partial<View>).op);

const ENDS: readonly unknown[] = ["!", "x", "?"];

/** The same by asking again and again: complete without any stream (OPS-23). */
async function* polled(
  { client, path, pause, signal }: FollowOptions,
  after: number | null,
): AsyncGenerator<OperationEvent> {
  let last = after;
  let lost = 0;
  while (!signal.aborted) {
    try {
      const answer = await client.get(path, "application/json", signal);
      const { line, op } = jsonAnswer(client, answer, isView);
      const ended = ENDS.includes(op["~"]);
      const id = typeof op["n"] === "number" ? op["n"] : null;
      if (ended || id === null || id !== last) yield { id, line, ended };
      if (ended) return;
      last = id;
      lost = 0;
    } catch (thrown) {
      lost += 1;
      if (!isPassing(thrown) || lost >= MOST_LOST) throw thrown;
    }
    await pause(POLL_MS, signal);
  }
}

/**
 * Follows an operation to its end (OPS-22): by its stream, which is taken up again after the last event
 * when it breaks, and by polling where there is none. Ends without an end when the signal aborts. Throws
 * CliError when the server refuses, or has been gone for a minute; the operation goes on all the same.
 */
export async function* followOperation(following: FollowOptions): AsyncGenerator<OperationEvent> {
  const { signal, pause } = following;
  let last: number | null = null;
  let fruitless = 0;
  while (fruitless < FRUITLESS && !signal.aborted) {
    fruitless += 1;
    try {
      for await (const event of streamed(following, last)) {
        if (event === null) {
          fruitless = FRUITLESS;
          break;
        }
        fruitless = 0;
        last = event.id ?? last;
        yield event;
        if (event.ended) return;
      }
    } catch (thrown) {
      if (!isPassing(thrown)) throw thrown;
    }
    if (fruitless < FRUITLESS) await pause(RETRY_MS, signal);
  }
  yield* polled(following, last);
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
