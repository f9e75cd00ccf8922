export { builtInPlugins } from "./host/built-in-plugins.ts";
export { HostStartError } from "./host/host-start-error.ts";
export type { RecordingChoice } from "./host/host-recording.ts";
export { POLICY_SETTING } from "./host/host-policies.ts";
export { openKeys, UNNAMED, type OpenedKeys } from "./host/open-keys.ts";
export { openHost, type Host } from "./host/open-host.ts";
export type { Reloaded } from "./host/reload-catalogs.ts";
export type { HostOptions } from "./host/host-options.ts";
export { foreignHost, LOOPBACK_HOSTS } from "./http/allowed-hosts.ts";
export { connectionsIn, type Connections } from "./http/connections.ts";
export {
  createMcpHandler,
  type McpHandler,
  type McpHandlerOptions,
} from "./http/create-mcp-handler.ts";
export { METADATA_PATHS, protectedResource } from "./http/protected-resource.ts";
export { problemResponse } from "./http/problem-response.ts";
export { logCall, type CallLog, type CallRecord } from "./log/call-log.ts";
export { noteProblem, type CallName, type CallNote } from "./log/call-note.ts";
export { callLogTo, stderrLogger } from "./log/logger.ts";
export { connectStdio, type StdioConnection } from "./stdio/connect-stdio.ts";
export { connectTransport, type TransportOptions } from "./stdio/connect-transport.ts";
export { VERSION } from "./version.ts";
export { withinTrace } from "./wire/trace-context.ts";
