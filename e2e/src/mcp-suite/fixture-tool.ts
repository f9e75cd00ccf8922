import {
  CLIENT_CAPABILITIES_META_KEY,
  type CallToolResult,
  type ClientCapabilities,
  type InputRequiredResult,
  type ServerContext,
  type Tool,
} from "@modelcontextprotocol/server";

/** A tool that the suite calls by its name. */
export interface FixtureTool {
  readonly definition: Tool;
  call(
    context: ServerContext,
  ): CallToolResult | InputRequiredResult | Promise<CallToolResult | InputRequiredResult>;
}

/** A tool without arguments. */
export const fixtureTool = (
  name: string,
  description: string,
  call: FixtureTool["call"],
): FixtureTool => ({
  definition: { name, description, inputSchema: { type: "object" } },
  call,
});

/** An answer of one text. */
export const said = (text: string): CallToolResult => ({ content: [{ type: "text", text }] });

/** What a client of 2026-07-28 says in its request that it can. */
export function declaredBy({ mcpReq }: ServerContext): ClientCapabilities {
  const envelope = (mcpReq.envelope ?? {}) as Readonly<Record<string, unknown>>;
  return (envelope[CLIENT_CAPABILITIES_META_KEY] ?? {}) as ClientCapabilities;
}
