import type { JsonObject } from "@plasm/core";
import { visible } from "@plasm/core/internal";
import type { Answer } from "@plasm/agent-core";

/** A JSON answer, in which no character acts on what shows it; the same JSON. */
export const jsonResponse = (
  value: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  new Response(visible(JSON.stringify(value)), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });

/** A text answer, for eyes and for models. */
const textResponse = (
  text: string,
  type: "text/plain" | "text/markdown",
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  new Response(text.endsWith("\n") ? text : `${text}\n`, {
    status,
    headers: { "content-type": `${type}; charset=utf-8`, ...headers },
  });

/** A member that the engine's contract says is text. */
export function textMember(object: JsonObject, name: string): string {
  const value = object[name];
  if (typeof value === "string") return value;
  throw new Error(`${name} is no text`);
}

/** The formats of what opens, extends or shows a session. */
export const CONTEXT_FORMATS = ["application/json", "text/plain", "text/markdown"] as const;

export type ContextFormat = (typeof CONTEXT_FORMATS)[number];

/** An answer with SURF-7's meta: as JSON what `json` makes of it, else its text. */
export function contextAnswer(
  answer: Answer,
  format: ContextFormat,
  json: (answer: Answer) => unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const all = { vary: "Accept", ...headers };
  return format === "application/json"
    ? jsonResponse(json(answer), status, all)
    : textResponse(answer.text, format, status, all);
}

/** One server-sent event: `line` is its data, in one line. */
interface SentEvent {
  readonly event: string;
  readonly id: number | string;
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
