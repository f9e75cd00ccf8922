import { request, Agent } from "node:http";
import type { IncomingMessage } from "node:http";

/** An answer, or why there is none. */
export interface Answer {
  /** 0: the connection failed, or nothing came in time */
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly ms: number;
}

const sockets = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });

export const asObject = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const asText = (value: unknown): string => (typeof value === "string" ? value : "");

function parsed(text: string): Readonly<Record<string, unknown>> {
  // A call of MCP may be answered as a stream, whose last event is the answer.
  const data = [...text.matchAll(/^data: (.*)$/gm)].at(-1)?.[1] ?? text;
  try {
    return asObject(JSON.parse(data));
  } catch {
    return {};
  }
}

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly limitMs?: number;
}

/** One request without a retry; never rejects. */
export function ask(url: string, asked: Asked = {}): Promise<Answer> {
  const began = performance.now();
  let resolve: (answer: Answer) => void = () => {};
  const promise = new Promise<Answer>((settle) => (resolve = settle));
  const done = (status: number, text: string, headers: Answer["headers"]): void =>
    resolve({ status, text, body: parsed(text), headers, ms: performance.now() - began });
  const payload = asked.body === undefined ? null : JSON.stringify(asked.body);
  const sent = request(url, {
    method: asked.method ?? (payload === null ? "GET" : "POST"),
    agent: sockets,
    headers: {
      accept: "application/json, text/event-stream",
      ...(payload === null ? {} : { "content-type": "application/json" }),
      ...asked.headers,
    },
  });
  const timer = setTimeout(() => {
    done(0, "nothing came in time", {});
    sent.destroy();
  }, asked.limitMs ?? 60_000);
  sent.on("response", (response: IncomingMessage) => {
    const chunks: Buffer[] = [];
    response.on("data", (chunk: Buffer) => chunks.push(chunk));
    response.on("error", (error) => done(0, String(error), {}));
    response.on("close", () => {
      if (!response.complete) done(0, "the answer was cut", {});
    });
    response.on("end", () => {
      done(response.statusCode ?? 0, Buffer.concat(chunks).toString("utf8"), response.headers);
    });
  });
  sent.on("error", (error) => done(0, String(error), {}));
  sent.end(payload ?? undefined);
  return promise.finally(() => clearTimeout(timer));
}

/** A session as both surfaces reach it. */
export interface PressureSession {
  readonly path: string;
  /** `s0` of MCP */
  readonly ref: string;
}

/** Opens a session; null where the server does not. */
export async function openSession(
  url: string,
  intent: string,
  api = "ledger",
  headers: Readonly<Record<string, string>> = {},
): Promise<PressureSession | null> {
  const seeds = ["Item", "Entry"].map((entity) => ({ api, entity }));
  const body = { intent, seeds, notation: "names" };
  const answer = await ask(`${url}/execute`, { body, headers });
  const path = answer.headers["location"];
  if (typeof path !== "string") return null;
  const plasm = asObject(answer.body["plasm"]);
  return { path, ref: asText(plasm["logical_session_ref"]) };
}

/** Calls a tool of MCP as a client does that keeps no session. */
export async function callTool(
  url: string,
  name: string,
  args: Readonly<Record<string, unknown>>,
  limitMs?: number,
): Promise<Answer> {
  const answer = await ask(`${url}/mcp`, {
    headers: { "mcp-protocol-version": "2025-11-25" },
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } },
    ...(limitMs === undefined ? {} : { limitMs }),
  });
  return answer;
}
