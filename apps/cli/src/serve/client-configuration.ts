/** What an MCP host needs to reach a server over HTTP, as one line of its configuration file. */
export function httpConfiguration(mcpUrl: string, keyed: boolean): string {
  const headers = keyed ? { headers: { "X-API-Key": "YOUR KEY" } } : {};
  return JSON.stringify({ mcpServers: { plasm: { type: "http", url: mcpUrl, ...headers } } });
}

/**
 * What an MCP host needs to start a server of its own over stdio, on the same data, catalogs and
 * backends: a host starts it without the environment that this server has.
 */
export function stdioConfiguration(program: {
  readonly node: string;
  readonly script: string;
  readonly dataDir: string;
  readonly named: readonly string[];
  readonly backends: Readonly<Record<string, string>>;
}): string {
  const { node, script, dataDir, named, backends } = program;
  const args = [script, "serve", "--stdio", "--data", dataDir, ...named];
  const env = Object.keys(backends).length === 0 ? {} : { env: backends };
  return JSON.stringify({ mcpServers: { plasm: { command: node, args, ...env } } });
}
