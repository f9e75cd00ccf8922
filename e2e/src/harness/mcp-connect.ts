import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { McpAgentClient } from "./agent-client.ts";
import { mcpAgent } from "./mcp-agent.ts";
import { plasmServe, type PlasmOptions } from "./plasm-command.ts";

/** The protocol a client speaks: 2025-11-25 and older, or 2026-07-28 (SURF-1). */
export type Era = "2025" | "2026";

const clientOf = (era: Era): Client =>
  new Client(
    { name: "plasm-e2e", version: "1" },
    { versionNegotiation: { mode: era === "2025" ? "legacy" : { pin: "2026-07-28" } } },
  );

/** An MCP client over Streamable HTTP. */
export async function connectHttp(era: Era, url: string): Promise<McpAgentClient> {
  const client = clientOf(era);
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", url)));
  return mcpAgent(client, null, () => client.close());
}

/** A connected client, and the server process of its own. */
export interface StdioClient {
  readonly client: Client;
  readonly pid: number | null;
}

/**
 * An MCP client over stdio, with a server process of its own; what that writes to stderr goes to ours,
 * or to who asks for it.
 */
export async function stdioClient(
  era: Era,
  options: PlasmOptions,
  onStderr?: (text: string) => void,
): Promise<StdioClient> {
  const { command, args, env } = plasmServe(options, ["--stdio"]);
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    env: { ...env },
    stderr: onStderr === undefined ? "inherit" : "pipe",
  });
  if (onStderr !== undefined) {
    transport.stderr?.on("data", (chunk: Buffer) => onStderr(chunk.toString("utf8")));
  }
  const client = clientOf(era);
  await client.connect(transport);
  return { client, pid: transport.pid };
}

/** The agent behind such a client. */
export async function connectStdio(
  era: Era,
  options: PlasmOptions,
  onStderr?: (text: string) => void,
): Promise<McpAgentClient> {
  const { client, pid } = await stdioClient(era, options, onStderr);
  return mcpAgent(client, pid, () => client.close());
}
