import { randomBytes } from "node:crypto";
import type { Caller, Engine } from "@plasm/agent-core";
import { LOCAL } from "@plasm/agent-core";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type { CallLog } from "../log/call-log.ts";
import { makeServer } from "../server.ts";

/** What MCP over stdio serves, and to whom. */
export interface StdioOptions {
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
export function connectStdio(options: StdioOptions): StdioConnection {
  const { engine, log, warn, tasks, structured } = options;
  const caller = { ...(options.caller ?? LOCAL), connection: randomBytes(16).toString("hex") };
  const transport = new StdioServerTransport();
  const ended = new Promise<void>((resolve) => {
    process.stdin.once("end", resolve);
    process.stdin.once("close", resolve);
  });
  const handle = serveStdio(
    ({ era }) => makeServer({ engine, caller, era, log, tasks, structured, standing: true }),
    {
      transport,
      onerror: (error) => warn?.("MCP over stdio", error),
    },
  );
  return { ended, close: () => handle.close() };
}
