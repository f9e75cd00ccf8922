import { createHttpApp } from "../create-http-app.ts";
import { engineWith, type FakeMethods } from "./engine-with.ts";

const mcp = {
  fetch: async () => new Response("from mcp"),
  close: async () => undefined,
};

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** sent as JSON */
  readonly json?: unknown;
}

/** Sends one request to an app on an engine of the test's own, without a socket. */
export async function send(methods: FakeMethods, path: string, sent: Sent = {}): Promise<Response> {
  const app = createHttpApp({ engine: engineWith(methods), mcp });
  const { json, body = json === undefined ? undefined : JSON.stringify(json) } = sent;
  const type = json === undefined ? {} : { "content-type": "application/json" };
  return app.fetch(
    new Request(`http://127.0.0.1:3000${path}`, {
      method: sent.method ?? (body === undefined ? "GET" : "POST"),
      headers: { ...type, ...sent.headers },
      ...(body === undefined ? {} : { body }),
    }),
  );
}

/** Status and code of a problem, once it is seen to be one (SURF-18). */
export async function problemIn(response: Response) {
  const type = response.headers.get("content-type");
  if (type !== "application/problem+json") throw new Error(`no problem but ${type}`);
  const body = (await response.json()) as {
    readonly type: string;
    readonly status: number;
    readonly code: string;
    readonly detail: string;
    readonly errors: readonly object[];
    readonly _meta?: object;
  };
  if (body.status !== response.status) throw new Error("status in body and head differ");
  if (body.type !== `urn:problem:${body.code}`) throw new Error("type and code differ");
  return body;
}
