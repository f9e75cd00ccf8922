import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { plasmServe } from "./plasm-command.ts";
import type { Place } from "./surfaces.ts";
import type { Opening, Talk } from "./talk.ts";
import { toolTalk, type ToolResult } from "./tool-talk.ts";

export type Wire = "stdio" | "HTTP";

function transportTo(wire: Wire, place: Place): Transport {
  if (wire === "HTTP") {
    // Its optional members are declared in a way that exactOptionalPropertyTypes does not accept.
    return new StreamableHTTPClientTransport(new URL("/mcp", place.url)) as Transport;
  }
  const { command, args, env } = plasmServe(place.options, ["--stdio"]);
  return new StdioClientTransport({ command, args: [...args], env: { ...env } });
}

/** A session of the client of SDK v1, which many hosts are built on. */
export async function sdkV1Talk(wire: Wire, place: Place, opening: Opening): Promise<Talk> {
  const client = new Client({ name: "plasm-e2e-v1", version: "1" });
  await client.connect(transportTo(wire, place));
  const call = async (name: string, args: object): Promise<ToolResult> =>
    (await client.callTool({ name, arguments: { ...args } })) as ToolResult;
  return toolTalk(call, opening, () => client.close());
}
