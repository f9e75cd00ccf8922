import {
  type JSONRPCMessage,
  type JSONRPCRequest,
  type McpRequestContext,
  type MessageExtraInfo,
  type RequestId,
  type Server,
  type Transport,
  type TransportSendOptions,
  isJSONRPCNotification,
  isJSONRPCRequest,
} from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { type Caller, type Engine, LOCAL } from "@plasm/agent-core";
import type { ClientDecisions } from "@plasm/agent-core/internal";
import type { CallLog, Connect } from "@plasm/host";
import { randomBytes } from "node:crypto";
import { makeServer } from "./server.ts";
import { listenedTo, withListenedTo } from "./watches/listen-request.ts";
import { Subscriptions } from "./watches/subscriptions.ts";

type Forward = NonNullable<Transport["onmessage"]>;

/**
 * A connection of 2026-07-28 that stands: the SDK answers `subscriptions/listen` before any server sees it, so that what is listened to is
 * seen here, and left out as far as the caller may not read it (WATCH-06).
 */
class ListeningTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Forward;
  readonly #inner: Transport;
  readonly #watched: Subscriptions;
  readonly #listens = new Map<RequestId, readonly string[]>();
  /** messages keep their order behind a listen that is still looked at */
  #behind: Promise<void> | null = null;

  constructor(inner: Transport, watched: Subscriptions) {
    this.#inner = inner;
    this.#watched = watched;
    inner.onclose = () => {
      watched.close();
      this.onclose?.();
    };
    inner.onerror = (error) => this.onerror?.(error);
    inner.onmessage = (message, extra) => this.#take(message, extra);
  }

  start(): Promise<void> {
    return this.#inner.start();
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    return this.#inner.send(message, options);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  #take(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void {
    const listens = isJSONRPCRequest(message) && message.method === "subscriptions/listen";
    if (this.#behind === null && !listens) {
      this.#pass(message, extra);
      return;
    }
    const before = this.#behind ?? Promise.resolve();
    const now = before.then(async () =>
      this.#pass(listens ? await this.#readable(message) : message, extra),
    );
    this.#behind = now;
    void now.finally(() => {
      if (this.#behind === now) this.#behind = null;
    });
  }

  #pass(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void {
    if (isJSONRPCNotification(message) && message.method === "notifications/cancelled") {
      const id = message.params?.["requestId"] as RequestId;
      this.#watched.remove(this.#listens.get(id) ?? []);
      this.#listens.delete(id);
    }
    this.onmessage?.(message, extra);
  }

  async #readable(request: JSONRPCRequest): Promise<JSONRPCRequest> {
    const asked = listenedTo(request);
    if (asked === null) return request;
    const added = await this.#watched.add(asked);
    this.#listens.set(request.id, added);
    return withListenedTo(request, added);
  }
}

/** What MCP over a connection that stands serves, and to whom. */
export interface TransportOptions {
  readonly engine: Engine;
  readonly caller?: Caller;
  readonly log?: CallLog | undefined;
  /** runs may be MCP tasks: the setting `mcp.tasks` (OPS-26) */
  readonly tasks?: boolean | undefined;
  /** answers stand as data beside their text, too: the setting `structured_content` (SURF-5) */
  readonly structured?: boolean | undefined;
  /** where people sign in to APIs, if this program serves the pages too (RUN-131) */
  readonly connect?: Pick<Connect, "settled"> | undefined;
  /** what the person at the client decides on plans of its agent (OPS-65) */
  readonly decisions?: ClientDecisions | undefined;
  /** the page that shows a plan to a person (SURF-45) */
  readonly card?: (() => Promise<string>) | undefined;
  /** how long a call is held while its person signs in, in ms: less than its client waits for an answer; 50 s without it */
  readonly heldMs?: number | undefined;
  /** what an operator should know of: messages that could not be read or sent */
  readonly warn?: ((what: string, cause: unknown) => void) | undefined;
}

/**
 * Serves MCP on a connection that stands, in the protocol era its client opens with: stdin and stdout, or
 * a pair in memory of a program that has client and server in one process. It is one connection (SESS-4).
 */
export function connectTransport(
  transport: Transport,
  { caller: given = LOCAL, warn, ...served }: TransportOptions,
): { close(): Promise<void> } {
  const caller = { ...given, connection: randomBytes(16).toString("hex") };
  // A client that tries the newer protocol first has two servers, of which it goes on with the last.
  let server: Server | undefined;
  const watched = new Subscriptions(served.engine, caller, (uri) => {
    void server?.sendResourceUpdated({ uri }).catch(() => undefined);
  });
  const serverOf = ({ era }: McpRequestContext): Server => {
    server = makeServer({ ...served, caller, era, standing: true, watched });
    return server;
  };
  return serveStdio(serverOf, {
    transport: new ListeningTransport(transport, watched),
    onerror: (error) => warn?.("MCP over stdio", error),
  });
}

/** MCP on stdin and stdout, until the client has gone. */
export interface StdioConnection {
  /** resolves when the client has closed its end */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/**
 * Serves MCP on this process's stdin and stdout, in the protocol era the client opens with. The
 * process is one connection (SESS-4), in either era.
 */
export function connectStdio(options: TransportOptions): StdioConnection {
  const ended = new Promise<void>((resolve) => {
    process.stdin.once("end", resolve);
    process.stdin.once("close", resolve);
  });
  const handle = connectTransport(new StdioServerTransport(), options);
  return { ended, close: () => handle.close() };
}
