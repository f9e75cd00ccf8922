import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { connectTransport, type TransportOptions } from "./connect-transport.ts";

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
