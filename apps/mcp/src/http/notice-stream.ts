import type { Caller, Engine } from "@plasm/agent-core";
import { type Channels, operationNotice } from "../wire/call-notices.ts";

/** How often a comment says that the connection stands, in ms. */
const COMMENT_MS = 15_000;
/** Bytes that wait for a slow reader; beyond that it misses notices, which polling tells it (OPS-23). */
const MOST_UNREAD = 64 * 1024;

const encoder = new TextEncoder();

const messageOf = (notice: object): Uint8Array =>
  encoder.encode(`event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", ...notice })}\n\n`);

export interface NoticeStreamOptions {
  readonly engine: Engine;
  /** with the connection whose stream it is */
  readonly caller: Caller;
  readonly channels: Channels;
  /** aborts when the reader has gone, or the server stops */
  readonly signal: AbortSignal;
}

/**
 * The stream that a client of the 2025 protocols opens by GET, on which it is told of its operations as
 * long as it stands (OPS-23). Nothing of it is kept: what a reader misses it learns by polling.
 */
export function noticeStream(options: NoticeStreamOptions): Response {
  const { engine, caller, channels, signal } = options;
  const channel = channels.open(caller.connection, "standing");
  let stop: () => void = () => undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        const send = (bytes: Uint8Array): void => {
          if ((controller.desiredSize ?? 0) > 0) controller.enqueue(bytes);
        };
        const unlisten = engine.onOperation(caller, (note) => {
          if (channel.isChosen()) send(messageOf(operationNotice(note)));
        });
        const comments = setInterval(() => send(encoder.encode(":\n\n")), COMMENT_MS).unref();
        const end = (): void => {
          stop();
          controller.close();
        };
        stop = () => {
          stop = () => undefined;
          clearInterval(comments);
          channel.close();
          signal.removeEventListener("abort", end);
          void unlisten();
        };
        if (signal.aborted) end();
        else signal.addEventListener("abort", end);
        // So that the client has its head at once.
        send(encoder.encode(":\n\n"));
      },
      cancel: () => stop(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: MOST_UNREAD }),
  );
  const headers = { "content-type": "text/event-stream", "cache-control": "no-store" };
  return new Response(body, { headers });
}
