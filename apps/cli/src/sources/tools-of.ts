import type { CliContext } from "../cli-context.ts";
import type { MadeCatalog } from "@plasm/importers";
import type { McpServer } from "./source-options.ts";

/** Starts an MCP server for the time of one question: the catalog of its tools, and their digest. Throws CliError. */
export async function toolsOf(
  { env, cwd }: Pick<CliContext, "env" | "cwd">,
  { kind, from, id, only, passEnv }: Omit<McpServer, "overlay">,
): Promise<{ readonly made: MadeCatalog; readonly digest: string }> {
  // Loaded on demand: documents need no client of MCP servers.
  const { openMcpServer } = await import("./mcp-server.ts");
  const source = { kind, from, only, passEnv, ...(id === undefined ? {} : { id }) };
  const { mcp, catalog } = await openMcpServer(source, env, cwd);
  try {
    return await catalog();
  } finally {
    await mcp.close();
  }
}
