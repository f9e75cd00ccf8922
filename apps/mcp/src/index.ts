export {
  createMcpHandler,
  mountMcp,
  type McpHandler,
  type McpHandlerOptions,
} from "./http/create-mcp-handler.ts";
export { connectStdio, type StdioConnection } from "./stdio/connect-stdio.ts";
export { connectTransport, type TransportOptions } from "./stdio/connect-transport.ts";
