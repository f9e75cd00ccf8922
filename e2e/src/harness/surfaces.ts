import type { AgentClient, McpAgentClient } from "./agent-client.ts";
import { httpAgent } from "./http-agent.ts";
import { connectHttp, connectStdio } from "./mcp-connect.ts";
import type { PlasmOptions } from "./plasm-command.ts";

/** What a surface connects to: a running server, and the options a server of its own needs. */
export interface Place {
  readonly url: string;
  readonly options: PlasmOptions;
}

/** MCP in both protocol eras over both transports (G10). */
export const MCP_SURFACES = [
  "MCP 2025 over stdio",
  "MCP 2025 over HTTP",
  "MCP 2026 over stdio",
  "MCP 2026 over HTTP",
] as const;

export type McpSurface = (typeof MCP_SURFACES)[number];

/** Every way an agent reaches Plasm; all of them on one data directory. */
export const SURFACES = [...MCP_SURFACES, "HTTP"] as const;

export type Surface = (typeof SURFACES)[number];

export function connectMcp(surface: McpSurface, place: Place): Promise<McpAgentClient> {
  switch (surface) {
    case "MCP 2025 over stdio":
      return connectStdio("2025", place.options);
    case "MCP 2025 over HTTP":
      return connectHttp("2025", place.url);
    case "MCP 2026 over stdio":
      return connectStdio("2026", place.options);
    case "MCP 2026 over HTTP":
      return connectHttp("2026", place.url);
  }
}

export async function connect(surface: Surface, place: Place): Promise<AgentClient> {
  return surface === "HTTP" ? httpAgent(place.url) : connectMcp(surface, place);
}
