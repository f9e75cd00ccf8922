export { lineFault } from "@plasm/agent-core/internal";
export { accessReport, type CapabilityAccess, type TenantAccess } from "./access.ts";
export { namesType, negotiate } from "./accept.ts";
export { backUp, type BackedUp, restore } from "./backup.ts";
export {
  callLogTo,
  logCall,
  logLevelIn,
  notePlan,
  noteProblem,
  notingCaller,
  openLog,
} from "./call-log.ts";
export type { CallLog, LoggedCall, CallNote, CallRecord } from "./call-log.ts";
export type { FirstEntity } from "./catalog-remarks.ts";
export type { Accounts } from "./accounts.ts";
export type { Connect } from "./connect.ts";
export type { Console } from "./console.ts";
export {
  connectionsIn,
  onConnection,
  type ConnectionClient,
  type Connections,
} from "./connections.ts";
export type { Reloaded } from "./directory-catalogs.ts";
export { HostStartError, readEnvironment, type Environment } from "./environment.ts";
export type { HostOptions, RecordingChoice } from "./host-options.ts";
export {
  challengeOf,
  foreignHost,
  LOOPBACK_HOSTS,
  MCP_PATH,
  METADATA_PATHS,
  problemResponse,
  protectedResource,
  stepUpHeaders,
} from "./http.ts";
export { openHost, type Host } from "./open-host.ts";
export { POLICY_SETTING } from "./policies.ts";
export { PROTOCOL_VERSIONS, SERVER_CARDS } from "./server-card.ts";
export { signInSetting } from "./sign-in.ts";
export { unknownSettings } from "./settings.ts";
export { openKeys, UNNAMED, type OpenedKeys } from "./store.ts";
export { METRICS_TYPE } from "./metrics.ts";
export type { TenantSettings } from "./tenant-settings.ts";
export { withinTrace } from "./telemetry.ts";
export { VERSION } from "./version.ts";
