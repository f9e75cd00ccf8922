export { McpSource, McpSourceError, type McpSourceOptions } from "./mcp-source.ts";
export { withMcpServers } from "./mcp-transport.ts";
export type { McpTool } from "./tool-drafts.ts";
export { toolsCatalog, type ToolsCatalog } from "./tools-catalog.ts";
