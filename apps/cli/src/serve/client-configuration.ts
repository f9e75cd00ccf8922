/** What an MCP host needs to reach a server over HTTP, as one line of its configuration file. */
export const httpConfiguration = (mcpUrl: string): string =>
  JSON.stringify({ mcpServers: { plasm: { type: "http", url: mcpUrl } } });

/** What an MCP host needs to start a server of its own over stdio, on the same data and catalogs. */
export function stdioConfiguration(program: {
  readonly node: string;
  readonly script: string;
  readonly dataDir: string;
  readonly catalogs: readonly string[];
}): string {
  const { node, script, dataDir, catalogs } = program;
  const directories = catalogs.flatMap((directory) => ["--catalogs", directory]);
  const args = [script, "serve", "--stdio", "--data", dataDir, ...directories];
  return JSON.stringify({ mcpServers: { plasm: { command: node, args } } });
}
