import type { Caller, CancellableCall, Engine, Problem } from "@plasm/agent-core";
import {
  type Authenticator,
  type ClientDecisions,
  noAuthentication,
} from "@plasm/agent-core/internal";
import { parseJsonText } from "@plasm/core/internal";
import {
  type AuthInfo,
  createMcpHandler as createSdkHandler,
  isInitializeRequest,
  isLegacyRequest,
  type McpRequestContext,
  readRequestBody,
  type RequestId,
  type Server,
} from "@modelcontextprotocol/server";
import {
  type CallLog,
  challengeOf,
  type Connect,
  type Connections,
  foreignHost,
  logCall,
  LOOPBACK_HOSTS,
  noteProblem,
  onConnection,
  problemResponse,
  stepUpHeaders,
  namesType,
} from "@plasm/host";
import { type Era, makeServer } from "../server.ts";
import { type Channels, openChannels } from "../wire/call-notices.ts";
import { clientIn } from "../wire/declared-client.ts";
import { ListenStreams, opensListenStream } from "./listen-stream.ts";
import { noticeStream } from "./notice-stream.ts";

/** What MCP over HTTP serves, and to whom. */
export interface McpHandlerOptions {
  readonly engine: Engine;
  readonly connections: Connections;
  /** who calls, where nobody has to prove it */
  readonly caller?: Caller;
  /** how callers prove who they are; not at all without it (SURF-23) */
  readonly auth?: Authenticator | undefined;
  /** where clients meet this server, if not at the address they send requests to */
  readonly origin?: string | undefined;
  readonly log?: CallLog | undefined;
  /** hostnames that may stand in Host and Origin; loopback's by default */
  readonly hosts?: readonly string[];
  /** runs may be MCP tasks: the setting `mcp.tasks` (OPS-26) */
  readonly tasks?: boolean | undefined;
  /** answers stand as data beside their text, too: the setting `structured_content` (SURF-5) */
  readonly structured?: boolean | undefined;
  /** where people sign in to APIs: clients that lead people to pages are asked to (RUN-131) */
  readonly connect?: Pick<Connect, "settled"> | undefined;
  /** what the person at the client decides on plans of its agent (OPS-65) */
  readonly decisions?: ClientDecisions | undefined;
  /** the page that shows a plan to a person (SURF-45) */
  readonly card?: (() => Promise<string>) | undefined;
  /** aborts when the server stops: streams that nothing else ends do then */
  readonly stopping?: AbortSignal | undefined;
  /** what an operator should know of: requests that no protocol understands */
  readonly warn?: ((what: string, cause: unknown) => void) | undefined;
  /** what answers behind this transport in place of Plasm, as tests of the transport alone need it */
  readonly served?: ((era: Era) => Server) | undefined;
}

/** MCP over HTTP, to be mounted in a server. */
export interface McpHandler {
  /** Answers one HTTP request of either protocol era (SURF-1). */
  readonly fetch: (request: Request, requestId?: string) => Promise<Response>;
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
    return read.tooLarge ? undefined : parseJsonText(read.text);
  } catch {
    return undefined;
  }
}

/** A caller without a connection of its own cannot be told from others: nothing cancels its calls. */
const UNCANCELLABLE = { signal: new AbortController().signal, end: () => undefined };

const beginFor =
  (engine: Engine, connection: unknown) =>
  (id: RequestId): CancellableCall =>
    typeof connection === "string"
      ? engine.beginCall({ connection, call: callOf(id) })
      : UNCANCELLABLE;

async function cancelNamed(engine: Engine, connection: string, body: unknown): Promise<void> {
  for (const message of Array.isArray(body) ? (body as readonly unknown[]) : [body]) {
    const id = cancelledId(message);
    if (id !== null) await engine.cancelCall({ connection, call: callOf(id) });
  }
}

/** The SDK passes authInfo through untouched; it is the way for what we know of a request. */
const about = (caller: Caller, onProblem?: (problem: Problem) => void) => ({
  authInfo: { token: "", clientId: "", scopes: [], extra: { caller, onProblem } },
});

function problemListenerIn(authInfo: AuthInfo | undefined) {
  const listener = authInfo?.extra?.["onProblem"];
  return typeof listener === "function" ? (listener as (problem: Problem) => void) : undefined;
}

/**
 * An answer that nothing of has been sent yet, or what it is refused with: known once the call has ended, or has said something. A stream
 * has its status before that.
 */
async function answerOrRefusal(
  response: Response,
  refusal: () => Response | null,
): Promise<Response> {
  const { body, status, statusText, headers } = response;
  if (body === null) return response;
  const reader = body.getReader();
  const first = await reader.read();
  const refused = refusal();
  if (refused !== null) {
    await reader.cancel();
    return refused;
  }
  const again = new ReadableStream<Uint8Array>({
    start(controller) {
      if (first.done) controller.close();
      else controller.enqueue(first.value);
    },
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(again, { status, statusText, headers });
}

function callerIn(authInfo: AuthInfo | undefined): Caller {
  const caller = authInfo?.extra?.["caller"];
  if (typeof caller === "object" && caller !== null) return caller as Caller;
  throw new Error("A request was served for nobody");
}

const allowed = (connection: string | null): string => (connection === null ? "POST" : "GET, POST");

/** Whether a request asks for a stream of what its connection is to be told (SURF-1, OPS-23). */
const asksForStream = ({ method, headers }: Request): boolean =>
  method === "GET" && namesType(headers.get("accept"), "text/event-stream");

/** What makes the server of one request. */
function serversOf(options: McpHandlerOptions, channels: Channels) {
  const { engine, connections, log, tasks, structured, connect, decisions, card, served } = options;
  return ({ era, authInfo }: McpRequestContext): Server => {
    if (served !== undefined) return served(era);
    const caller = callerIn(authInfo);
    const begin = era === "modern" ? undefined : beginFor(engine, caller.connection);
    const client = () => connections.clientOf(caller);
    const onProblem = problemListenerIn(authInfo);
    const more = { channels, tasks, structured, connect, decisions, card, client, onProblem };
    return makeServer({ engine, caller, era, log, begin, ...more });
  };
}

/**
 * Serves MCP over Streamable HTTP, every POST by itself. In the 2025 protocols `initialize` issues
 * an `MCP-Session-Id`, which names the connection afterwards, and under which a GET opens a stream of
 * notices (OPS-23); 2026-07-28 has none (SURF-1, SESS-4).
 */
export function createMcpHandler(options: McpHandlerOptions): McpHandler {
  const { engine, connections, log, warn, stopping } = options;
  const { hosts = LOOPBACK_HOSTS } = options;
  const { served } = options;
  const auth = options.auth ?? noAuthentication(options.caller);
  const channels = openChannels();
  const serverOf = serversOf(options, channels);
  const onerror = (error: Error): void => warn?.("MCP over HTTP", error);
  const handler = createSdkHandler(serverOf, { onerror });
  const streams = new ListenStreams(engine, serverOf);

  const connectionOf = async (request: Request, caller: Caller): Promise<string | null> => {
    const name = request.headers.get(SESSION_HEADER);
    return name !== null && (await connections.isOf(caller, name)) ? name : null;
  };

  const serve = async (request: Request, known: Caller): Promise<Response> => {
    const body = await peekJson(request);
    if (!(await isLegacyRequest(request, body))) {
      return opensListenStream(body) && served === undefined
        ? streams.serve(request, body, known, about(known))
        : serveFor(request, known);
    }
    if (isInitializeRequest(body)) {
      const response = await handler.fetch(request, about(known));
      if (!response.ok) return response;
      const { capabilities } = body.params;
      const { leadsToUrls, showsCards } = clientIn(capabilities);
      const name = await connections.issue(known, { leadsToUrls, showsCards });
      return withHeader(response, SESSION_HEADER, name);
    }
    const connection = await connectionOf(request, known);
    const caller = onConnection(known, connection);
    if (connection !== null) await cancelNamed(engine, connection, body);
    if (connection !== null && asksForStream(request)) {
      const signals = stopping === undefined ? [] : [stopping];
      const signal = AbortSignal.any([request.signal, ...signals]);
      return noticeStream({ engine, caller, channels, signal });
    }
    // One answer cannot have the status of another: of several calls only that one is answered so.
    const isOne = !Array.isArray(body) || body.length === 1;
    const response = await (isOne
      ? serveFor(request, caller)
      : handler.fetch(request, about(caller)));
    return response.status === 405 ? withHeader(response, "allow", allowed(connection)) : response;
  };

  /** Answers a caller whose token may lack a scope: with 403 if that is what its call came to (SURF-23). */
  const servedOrRefused = async (request: Request, caller: Caller): Promise<Response> => {
    let lacking: Problem | null = null;
    const response = await handler.fetch(
      request,
      about(caller, (problem) => {
        if (problem.code === "plasm-insufficient-scope") lacking = problem;
      }),
    );
    return answerOrRefusal(response, () =>
      lacking === null
        ? null
        : problemResponse(lacking, stepUpHeaders(request, lacking, auth, options.origin)),
    );
  };

  const serveFor = (request: Request, caller: Caller): Promise<Response> =>
    (caller.readsOnly?.stepUp ?? null) === null
      ? handler.fetch(request, about(caller))
      : servedOrRefused(request, caller);

  const refuse = (request: Request, problem: Problem): Promise<Response> =>
    logCall(log, null, null, async (note) => {
      noteProblem(note, problem, `${request.method} /mcp`);
      if (problem.status !== 401)
        return problemResponse(problem, stepUpHeaders(request, problem, auth, options.origin));
      const challenge = challengeOf(request, auth, options.origin);
      return problemResponse(problem, { "www-authenticate": challenge });
    });

  const fetch = async (request: Request, requestId?: string): Promise<Response> => {
    const refused = foreignHost(request, hosts);
    if (refused !== null) return refuse(request, refused);
    const asked = requestId === undefined ? {} : { requestId };
    try {
      const { caller } = await auth.agentOf(request.headers);
      return await serve(request, { ...caller, ...asked });
    } catch (thrown) {
      const problem = engine.problemOf(thrown);
      const holder = problem.status === 403 ? await auth.holderOf(request.headers) : null;
      if (holder !== null)
        await engine.noteRefusal(`${request.method} /mcp`, { ...holder, ...asked }, problem);
      return refuse(request, problem);
    }
  };
  const close = async (): Promise<void> => {
    await Promise.all([handler.close(), streams.close()]);
  };
  stopping?.addEventListener("abort", () => void streams.close(), { once: true });
  return { fetch, close };
}

/** The options of a handler that a server with other routes does not share with it. */
type OwnOptions = Pick<
  McpHandlerOptions,
  "connections" | "tasks" | "structured" | "served" | "connect" | "decisions" | "card"
>;

/** Makes the handler of a server that has other routes, too, from what that server shares with it. */
export const mountMcp =
  ({ connections, tasks, structured, served, connect, decisions, card }: OwnOptions) =>
  (shared: Omit<McpHandlerOptions, keyof OwnOptions>): McpHandler =>
    createMcpHandler({
      ...shared,
      connections,
      tasks,
      structured,
      served,
      connect,
      decisions,
      card,
    });

/** The request that a message cancels, if it is such a message. */
function cancelledId(message: unknown): RequestId | null {
  if (typeof message !== "object" || message === null) return null;
  const { method, params } = message as { method?: unknown; params?: { requestId?: unknown } };
  if (method !== "notifications/cancelled") return null;
  const id = params?.requestId;
  return typeof id === "string" || typeof id === "number" ? id : null;
}

/** What a request of a connection is called; 1 and "1" are two. */
const callOf = (id: RequestId): string => JSON.stringify(id);
