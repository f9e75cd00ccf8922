export type { Answer, ResourceAnswer, RunAnswer, StructuredResult } from "./answer/answer.ts";
export type { ArtifactName } from "./artifacts/snapshots.ts";
export {
  formatResourceUri,
  parseResourceUri,
  REGISTRY_URI,
  type ResourceAddress,
} from "./artifacts/uris.ts";
export { createEngine } from "./create-engine.ts";
export type { EngineOptions } from "./engine-context.ts";
export {
  type AgentSession,
  type CallOptions,
  type ContextAnswer,
  type ContextOptions,
  createAgentSession,
  type DiscoverOptions,
  type PlanAnswer,
  type Planned,
  type RunOptions,
  type Seed,
  type ToolResult,
} from "./embed/agent-session.ts";
export { openPlasm, type Plasm, type PlasmOptions } from "./embed/open-plasm.ts";
export type { Engine } from "./engine.ts";
export {
  fail,
  Failure,
  problem,
  type Problem,
  type ProblemCode,
  type ProblemDetail,
  problemDocument,
  type ProblemError,
  PROBLEMS,
} from "./errors/problem.ts";
export { type KnownArguments, refuseUnknown } from "./errors/arguments.ts";
export { type SetAsideOperations, setAsideOperationsIn } from "./program/operation/set-aside.ts";
export {
  type Approvals,
  approvalsIn,
  type ApprovalsPage,
  type Verdict,
  type WaitingPage,
} from "./program/gate/approvals.ts";
export {
  AUTH_MODES,
  type Authenticator,
  type AuthenticatorOptions,
  type AuthMode,
  createAuthenticator,
  type Identity,
  noAuthentication,
  type Presented,
} from "./identity/authenticator.ts";
export type { FetchGraftArguments } from "./grafts/fetch.ts";
export { DEFAULT_PROFILE, type GraftSettings } from "./grafts/graft-key.ts";
export type { GraftIndex, ReadGraft } from "./grafts/read.ts";
export { httpGraftProvider } from "./grafts/provider.ts";
export { type Caller, LOCAL, NOBODY, principalOf } from "./identity/caller.ts";
export {
  type FetchDocument,
  type KeyFetching,
  type TokenIssuer,
  tokenVerifier,
  type VerifyToken,
} from "./identity/tokens.ts";
export {
  adminOf,
  type KeyOwner,
  type Keys,
  keysIn,
  type MadeKey,
  type Operator,
  operatorOf,
} from "./identity/keys.ts";
export {
  isTenantName,
  scopeOfConnection,
  tenantForm,
  tenantOfScope,
} from "./identity/tenant-scope.ts";
export type { RunArguments, RunProgress } from "./program/run/run-request.ts";
export { type SessionSecrets, type SessionSecretsOf, usersSecrets } from "./session/secrets.ts";
export type { CallName, CancellableCall } from "./program/calls.ts";
export type {
  AcceptedOutcome,
  ContextOutcome,
  DiscoveryOutcome,
  EndedRun,
  ExplainedOutcome,
  ExplanationOutcome,
  FetchedGraftOutcome,
  FinishedOutcome,
  HandleOutcome,
  LiveOutcome,
  OperationOutcome,
  Outcome as CallOutcome,
  PlannedOutcome,
  PlanOutcome,
} from "./outcome.ts";
export type {
  StartedTask,
  TaskArguments,
  Tasks,
  TaskStatus,
  TaskView,
} from "./program/operation/tasks.ts";
export type { RunsPage } from "./program/operation/list-runs.ts";
export type { OperationNote, StopHearing } from "./program/operation/events.ts";
export {
  catalogAdmin,
  type CatalogAdmin,
  type CatalogAdminDeps,
  type Import,
  SESSIONS_THEN,
  type SessionsThen,
  type Withdrawn,
} from "./registry/catalog-admin.ts";
export {
  type CatalogTexts,
  type HasCredential,
  liveRegistry,
  type LiveRegistry,
  type LiveRegistryDeps,
  registeredCatalog,
} from "./registry/live-registry.ts";
export {
  policyAdmin,
  type PolicyAdmin,
  type PolicyAdminDeps,
  storedPolicies,
} from "./registry/policies.ts";
export { LocalQueue } from "./local-queue.ts";
export { OPERATION_LIMITS, type OperationLimits } from "./program/operation/seats.ts";
export type { OperationView, StreamEvent } from "./program/operation/watch-operation.ts";
export type {
  Aged,
  CounterKind,
  HeldSlot,
  ListedTypes,
  RecordKind,
  RecordTypes,
  Storage,
  Store,
  Stored,
  StoreOps,
  StoreSize,
  StoreUpkeep,
  TextField,
  Usage,
} from "./store-port.ts";
export type {
  CatalogRegistry,
  GraftProvider,
  GraftQuestion,
  OperationKey,
  OperationQueue,
  PolicyProvider,
  RegisteredCatalog,
} from "./ports.ts";
export type {
  ApprovalRecord,
  CommitRecord,
  CommitState,
  Decision,
  MintedRecord,
  RejectionRecord,
  WaitingRecord,
} from "./records/commits.ts";
export type {
  ConnectionRecord,
  ExecuteSession,
  ImportedCatalog,
  KeyRecord,
  KeyRole,
  LogicalSession,
  Loss,
  LossReason,
  OfferRecord,
  PinnedCatalog,
  PolicyRecord,
  SentWaves,
  SessionKey,
  WaveRecord,
} from "./records/sessions.ts";
export type {
  CursorRecord,
  CursorSource,
  GraftRecord,
  GraftSetRecord,
  SnapshotRecord,
} from "./records/artifacts.ts";
export type {
  OperationRecord,
  OperationState,
  Outcome,
  Step,
  TaskRecord,
} from "./records/operations.ts";
export {
  applyTracePatch,
  type TraceDetail,
  type TracePatch,
  type TraceSummary,
} from "./trace/trace-view.ts";
export type { TraceMessage } from "./trace/watch-trace.ts";
export type {
  TracedCall,
  TraceEvent,
  TraceFact,
  TraceHead,
  TraceKey,
  TracePortion,
  TraceTotals,
} from "./records/traces.ts";
export {
  DEFAULT_BOUNDS,
  DEFAULT_RETENTION,
  type Retention,
  type StoreBounds,
  type SweepTimes,
} from "./retention/retention.ts";
export { keepWithin, type KeptWithin } from "./retention/keep-within.ts";
export { sweep } from "./retention/sweep.ts";
export type { DiscoverArguments } from "./registry/listing.ts";
export { type CountTokens, tokenCounter } from "./answer/tokens.ts";
export { noteConnectionUsed } from "./session/connections.ts";
export type { ContextRequest } from "./session/context-request.ts";
export type { SessionAddress } from "./session/handles.ts";
export { plasmRun, TOOLS } from "./tools/all-tools.ts";
export {
  answerTool,
  INSTRUCTIONS,
  type ProgramMode,
  readMode,
  type SchemaValue,
  type Tool,
  type ToolArguments,
  type ToolCall,
  type ToolDefinition,
  type ToolInputSchema,
  type ToolName,
} from "./tools/tool.ts";
export { nextTurn } from "@plasm/runtime";
export {
  memoryStore,
  type MemoryStore,
  type MemoryStoreOptions,
} from "./memory-store/memory-store.ts";
