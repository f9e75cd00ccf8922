import {
  type CurrentSession,
  DEFAULT_SERVER,
  type Profile,
  readProfile,
  workspaceDirectory,
} from "../workspace/profile.ts";
import { problemError } from "./problem-error.ts";
import { CliError, failedError } from "../cli-error.ts";
import { type TypedKeySource, typedKey } from "../commands/typed-key.ts";
import type { CliContext } from "../cli-context.ts";

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
    after: number | string | null,
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

/** What names a session on its server. */
export type SessionPair = Pick<CurrentSession, "prompt_hash" | "session_id">;

/** The address of a session's routes (SURF-16). */
export const sessionRoute = ({ prompt_hash: hash, session_id: id }: SessionPair): string =>
  `/execute/${encodeURIComponent(hash)}/${encodeURIComponent(id)}`;

/** The session that an open led to. Throws CliError if the answer names none. */
export function openedSession({ url }: ServerClient, { headers }: ServerAnswer): SessionPair {
  const location = headers.get("location") ?? "";
  const [, hash, id] = /\/execute\/([^/?#]+)\/([^/?#]+)$/.exec(location) ?? [];
  if (hash === undefined || id === undefined) {
    throw failedError(`${url} opened no session. Is it a Plasm server? plasm doctor says more.`);
  }
  return { prompt_hash: decodeURIComponent(hash), session_id: decodeURIComponent(id) };
}

/** The server of the workspace, called with a key that is never kept, and no other. Throws CliError. */
export async function clientWithKey(
  cli: CliContext,
  source: TypedKeySource,
): Promise<ServerClient> {
  const profile = await readProfile(workspaceDirectory(cli));
  const server = profile?.server ?? DEFAULT_SERVER;
  return serverClient({ server, api_key: await typedKey(cli, source) });
}

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

/** Codes that say no request got out, so that nothing can have been done. */
const NOT_REACHED = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
  // what fetch says of ports that no web server may have
  "bad port",
]);
const NOT_TRUSTED = /CERT|TLS|SSL|SIGNATURE/;

function codeOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return "unknown";
  if (thrown.cause !== undefined) return codeOf(thrown.cause);
  const { code } = thrown as NodeJS.ErrnoException;
  return code ?? thrown.message;
}

/** Why no answer came, and what to do: one message for whatever fetch throws. A CliError stays as it is. */
export function connectionError(server: string, thrown: unknown): CliError {
  if (thrown instanceof CliError) return thrown;
  const code = codeOf(thrown);
  if (NOT_REACHED.has(code) || NOT_TRUSTED.test(code)) {
    return failedError(
      `No server at ${server} (${code}). ` +
        "Start one: plasm serve --catalogs DIR; or name another: plasm init --server URL",
      thrown,
    );
  }
  return failedError(
    `The connection to ${server} broke before the answer came (${code}). ` +
      "What was asked may have been done: a run with --commit may be sent again, it is not repeated.",
    thrown,
  );
}
