import { visible } from "@plasm/core";

/** One server-sent event: `line` is its data, in one line. */
export interface SentEvent {
  readonly event: string;
  readonly id: number;
  readonly line: string;
}

/** How often a comment says that the connection stands, in ms (OPS-22). */
const COMMENT_MS = 15_000;

const encoder = new TextEncoder();

const messageOf = ({ event, id, line }: SentEvent): Uint8Array =>
  encoder.encode(`event: ${event}\nid: ${id}\ndata: ${visible(line)}\n\n`);

/**
 * Events as a stream of server-sent events, each asked for when the reader has taken the one before;
 * closed after the last. `gone` is called when the reader goes.
 */
export function eventStream(events: AsyncIterable<SentEvent>, gone: () => void): Response {
  const iterator = events[Symbol.asyncIterator]();
  let comments: NodeJS.Timeout | null = null;
  const stop = (): void => {
    if (comments !== null) clearInterval(comments);
  };
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      comments = setInterval(() => controller.enqueue(encoder.encode(":\n\n")), COMMENT_MS);
      comments.unref();
    },
    pull: async (controller) => {
      const next = await iterator.next();
      if (next.done !== true) return controller.enqueue(messageOf(next.value));
      stop();
      controller.close();
    },
    cancel: async () => {
      stop();
      gone();
      await iterator.return?.();
    },
  });
  const headers = { "content-type": "text/event-stream", "cache-control": "no-store" };
  return new Response(body, { headers });
}
