import { jsonAnswer, type ServerClient } from "../server/server-client.ts";
import { isPassing, type Pause, nextOf, readEvents } from "./event-stream.ts";
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
  readonly pause: Pause;
}

const RETRY_MS = 1_000;
/** Streams in a row that bring nothing before polling is tried. */
const FRUITLESS = 3;
/** OPS-19 */
const POLL_MS = 3_000;
/** Polls in a row without an answer before the server counts as gone. */
const MOST_LOST = 20;

const isWhole = (text: string | null): text is string => text !== null && /^\d{1,15}$/.test(text);

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
