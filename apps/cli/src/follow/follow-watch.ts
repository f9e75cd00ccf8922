import type { ServerClient } from "../server/server-client.ts";
import { isPassing, nextOf, pause, readEvents } from "./event-stream.ts";

const RETRY_MS = 1_000;
/** Connections in a row that cannot be made before the server counts as gone. */
const MOST_LOST = 60;

/**
 * What a watch has found after an event, and finds until `signal` aborts, each as its line of JSON and once, whatever breaks meanwhile
 * (WATCH-04). Throws CliError when the server refuses, or has been gone for a minute.
 */
export async function* followWatch(
  client: ServerClient,
  path: string,
  { after, signal }: { readonly after: string | null; readonly signal: AbortSignal },
): AsyncGenerator<{ readonly id: string | null; readonly line: string }> {
  let last = after;
  let lost = 0;
  while (!signal.aborted) {
    const gone = new AbortController();
    try {
      const texts = await client.events(path, last, AbortSignal.any([signal, gone.signal]));
      lost = 0;
      const events = readEvents(texts ?? nothing())[Symbol.asyncIterator]();
      for (;;) {
        const next = await nextOf(events, { pause, signal });
        if (next.done === true) break;
        if (next.value === null) continue;
        last = next.value.id ?? last;
        yield { id: next.value.id, line: next.value.data };
      }
    } catch (thrown) {
      lost += 1;
      if (!signal.aborted && (!isPassing(thrown) || lost >= MOST_LOST)) throw thrown;
    } finally {
      gone.abort();
    }
    await pause(RETRY_MS, signal);
  }
}

async function* nothing(): AsyncGenerator<string> {}
