export {
  createMcpHandler,
  mountMcp,
  type McpHandler,
  type McpHandlerOptions,
} from "./http/create-mcp-handler.ts";
export { connectStdio, type StdioConnection } from "./stdio.ts";
export { connectTransport, type TransportOptions } from "./stdio.ts";
