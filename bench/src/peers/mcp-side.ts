import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";

/** One MCP server as a model's host sees it. */
export interface McpPeer {
  /** instructions, then name, description and input of every tool as compact JSON */
  readonly definitions: string;
  /** names of the arguments that each tool takes */
  readonly tools: ReadonlyMap<string, readonly string[]>;
  /** The text that the model reads; throws with it where the call failed. */
  call(name: string, args: Readonly<Record<string, unknown>>): Promise<string>;
  close(): Promise<void>;
}

interface Content {
  readonly type: string;
  readonly text?: string;
}

const textOf = (content: unknown): string =>
  (content as readonly Content[]).map(({ text = "" }) => text).join("\n");

/** The client that all sides are asked with. */
export async function connectPeer(transport: Transport): Promise<McpPeer> {
  const client = new Client({ name: "peers", version: "1" });
  await client.connect(transport);
  const { tools } = await client.listTools();
  const listed = tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    inputSchema,
  }));
  return {
    definitions: (client.getInstructions() ?? "") + JSON.stringify(listed),
    tools: new Map(
      tools.map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties ?? {})]),
    ),
    call: async (name, args) => {
      // Not callTool: that refuses an answer that an output schema does not fit, and the model reads it all the same.
      const params = { name, arguments: args };
      const answer = await client.request({ method: "tools/call", params }, CallToolResultSchema);
      const text = textOf(answer.content);
      if (answer.isError === true) throw new Error(`${name}: ${text}`);
      return text;
    },
    close: () => client.close(),
  };
}
