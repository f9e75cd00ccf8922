import { LOCAL, type Caller, type Engine } from "@plasm/agent-core";
import { createMcpHandler as createSdkHandler } from "@modelcontextprotocol/server";
import {
  isInitializeRequest,
  isLegacyRequest,
  readRequestBody,
  type RequestId,
} from "@modelcontextprotocol/server";
import type { CallLog } from "../log/call-log.ts";
import { makeServer } from "../server.ts";
import { foreignHost, LOOPBACK_HOSTS } from "./allowed-hosts.ts";
import {
  cancellations,
  cancelledId,
  type Cancellable,
  type Cancellations,
} from "./cancellations.ts";
import type { Connections } from "./connections.ts";
import { problemResponse } from "./problem-response.ts";

export interface McpHandlerOptions {
  readonly engine: Engine;
  readonly connections: Connections;
  readonly caller?: Caller;
  readonly log?: CallLog | undefined;
  /** hostnames that may stand in Host and Origin; loopback's by default */
  readonly hosts?: readonly string[];
  /** what an operator should know of: requests that no protocol understands */
  readonly warn?: ((what: string, cause: unknown) => void) | undefined;
}

export interface McpHandler {
  /** Answers one HTTP request of either protocol era (SURF-1). */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Ends exchanges that are under way. */
  close(): Promise<void>;
}

const SESSION_HEADER = "mcp-session-id";

function withHeader(response: Response, name: string, value: string): Response {
  const headers = new Headers(response.headers);
  headers.set(name, value);
  const { status, statusText } = response;
  return new Response(response.body, { status, statusText, headers });
}

/** The body as JSON, read from a copy; undefined where the SDK has to say what is wrong with it. */
async function peekJson(request: Request): Promise<unknown> {
  if (request.method !== "POST") return undefined;
  try {
    const read = await readRequestBody(request.clone());
    return read.tooLarge ? undefined : (JSON.parse(read.text) as unknown);
  } catch {
    return undefined;
  }
}

/** A caller without a connection of its own cannot be told from others: nothing cancels its calls. */
const UNCANCELLABLE = { signal: new AbortController().signal, end: () => undefined };

const beginFor =
  (cancels: Cancellations, connection: unknown) =>
  (id: RequestId): Cancellable =>
    typeof connection === "string" ? cancels.begin(connection, id) : UNCANCELLABLE;

function cancelNamed(cancels: Cancellations, connection: string, body: unknown): void {
  for (const message of Array.isArray(body) ? (body as readonly unknown[]) : [body]) {
    const id = cancelledId(message);
    if (id !== null) cancels.cancel(connection, id);
  }
}

/**
 * Serves MCP over Streamable HTTP, every POST by itself. In the 2025 protocols `initialize` issues
 * an `MCP-Session-Id`, which names the connection afterwards; 2026-07-28 has none (SURF-1, SESS-4).
 */
export function createMcpHandler(options: McpHandlerOptions): McpHandler {
  const { engine, connections, log, warn, hosts = LOOPBACK_HOSTS } = options;
  const local = options.caller ?? LOCAL;
  const cancels = cancellations();
  const handler = createSdkHandler(
    ({ era, authInfo }) => {
      const connection = authInfo?.extra?.["connection"];
      const caller = typeof connection === "string" ? { ...local, connection } : local;
      const begin = era === "modern" ? undefined : beginFor(cancels, connection);
      return makeServer({ engine, caller, era, log, begin });
    },
    { onerror: (error) => warn?.("MCP over HTTP", error) },
  );

  const connectionOf = async (request: Request): Promise<string | null> => {
    const name = request.headers.get(SESSION_HEADER);
    return name !== null && (await connections.isOf(local, name)) ? name : null;
  };

  const serve = async (request: Request): Promise<Response> => {
    const body = await peekJson(request);
    if (!(await isLegacyRequest(request, body))) return handler.fetch(request);
    if (isInitializeRequest(body)) {
      const response = await handler.fetch(request);
      if (!response.ok) return response;
      return withHeader(response, SESSION_HEADER, await connections.issue(local));
    }
    const connection = await connectionOf(request);
    if (connection !== null) cancelNamed(cancels, connection, body);
    // The SDK passes authInfo through untouched; it is the way for what we know of a request.
    const authInfo = { token: "", clientId: "", scopes: [], extra: { connection } };
    const response = await handler.fetch(request, { authInfo });
    return response.status === 405 ? withHeader(response, "allow", "POST") : response;
  };

  const fetch = async (request: Request): Promise<Response> => {
    const refused = foreignHost(request, hosts);
    if (refused !== null) return problemResponse(refused);
    try {
      return await serve(request);
    } catch (thrown) {
      return problemResponse(engine.problemOf(thrown));
    }
  };
  return { fetch, close: () => handler.close() };
}
