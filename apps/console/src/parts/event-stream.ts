import { createParser } from "eventsource-parser";
import { type ApiProblem, call, eventTexts, showable } from "../api.ts";
import { ENDS } from "./load.ts";
import { asProblem } from "./work.ts";

/** What is found after an event, as much of it as one answer has. */
interface Found<T> {
  readonly events: readonly T[];
  /** how many after that event are kept no longer */
  readonly forgotten: number;
}

/** What somebody who follows events hears. */
export interface Listener<T> {
  /** `forgotten` is how many in all are kept no longer */
  found(events: readonly T[], forgotten: number): void;
  /** all that is there has been found, and what comes is heard */
  follows(): void;
  /** it is tried again, unless asking again does not help */
  failed(problem: ApiProblem): void;
}

const RETRY_MS = 2_000;
/** A server says every 15 s that the connection stands (OPS-22): one that is silent for three of them is gone. */
const SILENCE_MS = 45_000;

const isSeen = (): boolean => document.visibilityState === "visible";

/** Resolves after so many ms, or once nobody waits for it any more. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** Resolves when somebody looks at the page. */
const untilSeen = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (isSeen() || signal.aborted) resolve();
    document.addEventListener("visibilitychange", () => isSeen() && resolve(), { signal });
    signal.addEventListener("abort", () => resolve());
  });

/**
 * Tells of each event of a path once, those that are there and those that come, until `signal` aborts or asking again does not
 * help: whatever breaks, it goes on after the last one (WATCH-04). A page that nobody looks at holds no connection.
 */
export async function followEventStream<T extends { readonly id: string }>(
  path: string,
  signal: AbortSignal,
  to: Listener<T>,
): Promise<void> {
  let last: string | null = null;
  let [atFirst, since] = [0, 0];
  while (!signal.aborted) {
    await untilSeen(signal);
    const over = new AbortController();
    const all = AbortSignal.any([signal, over.signal]);
    const hidden = () => isSeen() || over.abort();
    document.addEventListener("visibilitychange", hidden, { signal: all });
    try {
      for (let isMore = true; isMore;) {
        const query: string = last === null ? "" : `?after=${encodeURIComponent(last)}`;
        const found: Found<T> = await call<Found<T>>(`${path}${query}`, { signal: all });
        if (last === null) atFirst = found.forgotten;
        else since += found.forgotten;
        last = found.events.at(-1)?.id ?? last;
        to.found(found.events, atFirst + since);
        isMore = found.events.length > 0;
      }
      to.follows();
      for await (const event of streamed<T>(path, last, all, over)) {
        last = event.id;
        to.found([event], atFirst + since);
      }
    } catch (thrown) {
      if (signal.aborted) return;
      if (!over.signal.aborted) {
        const problem = asProblem(thrown);
        to.failed(problem);
        if (ENDS.has(problem.status)) return;
      }
    }
    const wasHidden = over.signal.aborted;
    over.abort();
    if (!wasHidden) await pause(RETRY_MS, signal);
  }
}

/** The events of a stream after one; a stream that is silent for too long is over. */
async function* streamed<T>(
  path: string,
  last: string | null,
  signal: AbortSignal,
  over: AbortController,
): AsyncGenerator<T> {
  const events: T[] = [];
  const parser = createParser({
    onEvent: ({ data }) => events.push(showable(JSON.parse(data)) as T),
  });
  let silence = setTimeout(() => over.abort(), SILENCE_MS);
  try {
    for await (const text of eventTexts(path, last, signal)) {
      clearTimeout(silence);
      silence = setTimeout(() => over.abort(), SILENCE_MS);
      parser.feed(text);
      yield* events.splice(0);
    }
  } finally {
    clearTimeout(silence);
  }
}
