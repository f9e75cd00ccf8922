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
  get(path: string, accept: Accept): Promise<ServerAnswer>;
  post(path: string, body: object, accept: Accept): Promise<ServerAnswer>;
}

/** What `POST /execute` answers on success; it is read, never followed. */
const SEE_OTHER = 303;

export function serverClient({ server, api_key: key }: Profile): ServerClient {
  const call = async (path: string, init: RequestInit, accept: Accept): Promise<ServerAnswer> => {
    const headers = new Headers(init.headers);
    headers.set("accept", accept);
    if (key !== undefined) headers.set("x-api-key", key);
    // Not followed, so that a key never goes to another address than the profile's.
    const request = { ...init, headers, redirect: "manual" } as const;
    let response: Response;
    let text: string;
    try {
      response = await fetch(`${server}${path}`, request);
      text = await response.text();
    } catch (thrown) {
      throw connectionError(server, thrown);
    }
    if (response.ok || response.status === SEE_OTHER) return { text, headers: response.headers };
    throw problemError(server, response, text);
  };
  return {
    url: server,
    get: (path, accept) => call(path, {}, accept),
    post: (path, body, accept) => {
      const headers = { "content-type": "application/json" };
      return call(path, { method: "POST", headers, body: JSON.stringify(body) }, accept);
    },
  };
}
