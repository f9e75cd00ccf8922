import {
  Client,
  type ClientCapabilities,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import type { Era } from "../server.ts";
import type { McpHandler } from "../http/create-mcp-handler.ts";

export interface TestClient {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
}

/** The protocol a real client of each era speaks. */
const negotiation = (era: Era) => ({
  versionNegotiation: { mode: era === "legacy" ? ("legacy" as const) : { pin: "2026-07-28" } },
});

/** A real MCP client that reaches the handler without a socket. */
export async function connectTo(
  handler: McpHandler,
  era: Era,
  capabilities: ClientCapabilities = {},
): Promise<TestClient> {
  const transport = new StreamableHTTPClientTransport(new URL("http://127.0.0.1:3000/mcp"), {
    fetch: (url, init) => handler.fetch(new Request(url, init)),
  });
  const client = new Client({ name: "test", version: "1" }, { ...negotiation(era), capabilities });
  await client.connect(transport);
  return { client, transport };
}
