import { randomBytes } from "node:crypto";
import type { Caller, Engine } from "@plasm/agent-core";
import { LOCAL } from "@plasm/agent-core";
import type { Transport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { CallLog } from "@plasm/host";
import { makeServer } from "../server.ts";

/** What MCP over a connection that stands serves, and to whom. */
export interface TransportOptions {
  readonly engine: Engine;
  readonly caller?: Caller;
  readonly log?: CallLog | undefined;
  /** runs may be MCP tasks: the setting `mcp.tasks` (OPS-26) */
  readonly tasks?: boolean | undefined;
  /** answers stand as data beside their text, too: the setting `structured_content` (SURF-5) */
  readonly structured?: boolean | undefined;
  /** what an operator should know of: messages that could not be read or sent */
  readonly warn?: ((what: string, cause: unknown) => void) | undefined;
}

/**
 * Serves MCP on a connection that stands, in the protocol era its client opens with: stdin and stdout, or
 * a pair in memory of a program that has client and server in one process. It is one connection (SESS-4).
 */
export function connectTransport(
  transport: Transport,
  { engine, caller: given = LOCAL, log, warn, tasks, structured }: TransportOptions,
): { close(): Promise<void> } {
  const caller = { ...given, connection: randomBytes(16).toString("hex") };
  return serveStdio(
    ({ era }) => makeServer({ engine, caller, era, log, tasks, structured, standing: true }),
    { transport, onerror: (error) => warn?.("MCP over stdio", error) },
  );
}
