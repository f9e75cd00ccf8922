import { randomBytes } from "node:crypto";
import { type Caller, type Engine, LOCAL } from "@plasm/agent-core";
import type { ClientDecisions } from "@plasm/agent-core/internal";
import type { McpRequestContext, Server, Transport } from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type { CallLog, Connect } from "@plasm/host";
import { makeServer } from "./server.ts";
import { ListeningTransport } from "./watches/listening-transport.ts";
import { Subscriptions } from "./watches/subscriptions.ts";

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
