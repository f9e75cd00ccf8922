import type { Profile } from "../workspace/profile.ts";
import { connectionError } from "./connection-error.ts";
import { problemError } from "./problem-error.ts";

export type Accept = "application/json" | "text/plain" | "application/x-ndjson";

export interface ServerAnswer {
  readonly text: string;
  readonly headers: Headers;
}

/** A Plasm server over HTTP. Each call throws CliError for a problem, and when no answer comes. */
export interface ServerClient {
  /** as the profile names it */
  readonly url: string;
  get(path: string, accept: Accept, signal?: AbortSignal): Promise<ServerAnswer>;
  delete(path: string, accept: Accept): Promise<ServerAnswer>;
  post(path: string, body: object, accept: Accept, signal?: AbortSignal): Promise<ServerAnswer>;
  /**
   * Server-sent events as they come, after the one of this number if it is not null; null where something
   * else answers. Reading them throws CliError when the connection breaks.
   */
  events(
    path: string,
    after: number | null,
    signal: AbortSignal,
  ): Promise<AsyncIterable<string> | null>;
}

/** What `POST /execute` answers on success; it is read, never followed. */
const SEE_OTHER = 303;

const EVENT_STREAM = "text/event-stream";

async function* textOf(server: string, body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  try {
    for await (const bytes of body) yield decoder.decode(bytes, { stream: true });
  } catch (thrown) {
    throw connectionError(server, thrown);
  }
}

export function serverClient({ server, api_key: key }: Profile): ServerClient {
  const send = async (path: string, init: RequestInit, accept: string): Promise<Response> => {
    const headers = new Headers(init.headers);
    headers.set("accept", accept);
    if (key !== undefined) headers.set("x-api-key", key);
    // Not followed, so that a key never goes to another address than the profile's.
    return fetch(`${server}${path}`, { ...init, headers, redirect: "manual" });
  };
  const call = async (path: string, init: RequestInit, accept: Accept): Promise<ServerAnswer> => {
    let response: Response;
    let text: string;
    try {
      response = await send(path, init, accept);
      text = await response.text();
    } catch (thrown) {
      throw connectionError(server, thrown);
    }
    if (response.ok || response.status === SEE_OTHER) return { text, headers: response.headers };
    throw problemError(server, response, text);
  };
  const until = (signal: AbortSignal | undefined) => (signal === undefined ? {} : { signal });
  return {
    url: server,
    get: (path, accept, signal) => call(path, until(signal), accept),
    delete: (path, accept) => call(path, { method: "DELETE" }, accept),
    post: (path, body, accept, signal) => {
      const headers = { "content-type": "application/json" };
      const init = { method: "POST", headers, body: JSON.stringify(body), ...until(signal) };
      return call(path, init, accept);
    },
    events: async (path, after, signal) => {
      const headers = after === null ? {} : { "last-event-id": String(after) };
      let response: Response;
      try {
        response = await send(path, { headers, signal }, EVENT_STREAM);
        if (!response.ok) throw problemError(server, response, await response.text());
      } catch (thrown) {
        throw connectionError(server, thrown);
      }
      const { body } = response;
      const type = response.headers.get("content-type") ?? "";
      if (body !== null && type.startsWith(EVENT_STREAM)) return textOf(server, body);
      await body?.cancel();
      return null;
    },
  };
}
