export type { Answer, ResourceAnswer, RunAnswer, StructuredResult } from "./answer.ts";
export type { ArtifactName } from "./artifacts/read-resource.ts";
export { formatResourceUri, parseResourceUri, REGISTRY_URI } from "./artifacts/uris.ts";
export type { ResourceAddress } from "./artifacts/uris.ts";
export { createEngine } from "./create-engine.ts";
export type { EngineOptions } from "./engine-parts.ts";
export type {
  AgentSession,
  CallOptions,
  ContextAnswer,
  ContextOptions,
  DiscoverOptions,
  PlanAnswer,
  Planned,
  RunOptions,
  Seed,
  ToolResult,
} from "./embed/agent-session.ts";
export { createAgentSession } from "./embed/create-agent-session.ts";
export { openPlasm, type Plasm, type PlasmOptions } from "./embed/open-plasm.ts";
export type { Engine } from "./engine.ts";
export { fail, Failure } from "./errors/failure.ts";
export { PROBLEMS, type ProblemCode } from "./errors/problem-codes.ts";
export { problem, type Problem, type ProblemDetail, type ProblemError } from "./errors/problem.ts";
export { problemDocument } from "./errors/problem-document.ts";
export { refuseUnknown, type KnownArguments } from "./errors/refuse-unknown.ts";
export { setAsideOperationsIn, type SetAsideOperations } from "./operations/set-aside.ts";
export {
  approvalsIn,
  type Approvals,
  type ApprovalsPage,
  type Verdict,
  type WaitingPage,
} from "./commit/approvals.ts";
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
export type { FetchGraftArguments } from "./grafts/fetch-graft.ts";
export { DEFAULT_PROFILE, type GraftSettings } from "./grafts/graft-deps.ts";
export type { GraftIndex } from "./grafts/graft-index.ts";
export { httpGraftProvider } from "./grafts/http-provider.ts";
export type { ReadGraft } from "./grafts/read-graft.ts";
export { LOCAL, NOBODY, principalOf, type Caller } from "./identity/caller.ts";
export type { FetchDocument, KeyFetching } from "./identity/issuer-keys.ts";
export { keysIn, type KeyOwner, type Keys, type MadeKey } from "./identity/keys.ts";
export { adminOf, operatorOf, type Operator } from "./identity/operator.ts";
export {
  isTenantName,
  scopeOfConnection,
  tenantForm,
  tenantOfScope,
} from "./identity/tenant-scope.ts";
export { type TokenIssuer, tokenVerifier, type VerifyToken } from "./identity/tokens.ts";
export type { RunArguments, RunProgress } from "./live-run/run-arguments.ts";
export {
  usersSecrets,
  type SessionSecrets,
  type SessionSecretsOf,
} from "./live-run/session-secrets.ts";
export type { CallName, CancellableCall } from "./operations/cancel-call.ts";
export type { EndedRun } from "./live-run/end-of-run.ts";
export type {
  StartedTask,
  TaskArguments,
  Tasks,
  TaskStatus,
  TaskView,
} from "./operations/tasks.ts";
export type { RunsPage } from "./operations/list-runs.ts";
export type { StopHearing } from "./operations/hear-operations.ts";
export type { OperationNote } from "./operations/news.ts";
export {
  catalogAdmin,
  type CatalogAdmin,
  type CatalogAdminDeps,
  type Import,
} from "./registry/catalog-admin.ts";
export { SESSIONS_THEN, type SessionsThen, type Withdrawn } from "./registry/withdraw-catalog.ts";
export {
  liveRegistry,
  type CatalogTexts,
  type LiveRegistry,
  type LiveRegistryDeps,
} from "./registry/live-registry.ts";
export { registeredCatalog, type HasCredential } from "./registry/registered-catalog.ts";
export { policyAdmin, type PolicyAdmin, type PolicyAdminDeps } from "./policies/policy-admin.ts";
export { storedPolicies } from "./policies/stored-policies.ts";
export { LocalQueue } from "./operations/local-queue.ts";
export { OPERATION_LIMITS, type OperationLimits } from "./operations/seats.ts";
export type { OperationView, StreamEvent } from "./operations/watch-operation.ts";
export type {
  Aged,
  CatalogRegistry,
  CounterKind,
  GraftProvider,
  GraftQuestion,
  HeldSlot,
  ListedTypes,
  OperationPlace,
  OperationQueue,
  PolicyProvider,
  RecordKind,
  RecordTypes,
  RegisteredCatalog,
  Store,
  Storage,
  StoreSize,
  StoreOps,
  Stored,
  StoreUpkeep,
  TextField,
  Usage,
} from "./ports.ts";
export type {
  ApprovalRecord,
  Decision,
  RejectionRecord,
  WaitingRecord,
} from "./records/approval-record.ts";
export type { CommitRecord, CommitState } from "./records/commit-record.ts";
export type { ConnectionRecord, SentWaves } from "./records/connection-record.ts";
export type { CursorRecord, CursorSource } from "./records/cursor-record.ts";
export type { ExecuteSession, SessionKey } from "./records/execute-session.ts";
export type { GraftRecord, GraftSetRecord } from "./records/graft-record.ts";
export type { KeyRecord, KeyRole } from "./records/key-record.ts";
export type { LogicalSession, Loss, LossReason } from "./records/logical-session.ts";
export type { MintedRecord } from "./records/minted-record.ts";
export type { OperationRecord, OperationState, Outcome, Step } from "./records/operation-record.ts";
export type { ImportedCatalog, OfferRecord } from "./records/catalog-record.ts";
export type { PolicyRecord } from "./records/policy-record.ts";
export type { TaskRecord } from "./records/task-record.ts";
export type { PinnedCatalog } from "./records/pinned-catalog.ts";
export type { SnapshotRecord } from "./records/snapshot-record.ts";
export type { WaveRecord } from "./records/wave-record.ts";
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
  TracePlace,
  TracePortion,
  TraceTotals,
} from "./records/trace-record.ts";
export {
  DEFAULT_BOUNDS,
  DEFAULT_RETENTION,
  type Retention,
  type StoreBounds,
  type SweepTimes,
} from "./retention/retention.ts";
export { keepWithin, type KeptWithin } from "./retention/keep-within.ts";
export { sweep } from "./retention/sweep.ts";
export type { DiscoverArguments } from "./registry/discover.ts";
export { tokenCounter, type CountTokens } from "./render-text/tokens.ts";
export { noteConnectionUsed } from "./session/connections.ts";
export type { ContextRequest } from "./session/context-request.ts";
export type { SessionAddress } from "./session/locate.ts";
export { TOOLS } from "./tools/all-tools.ts";
export { answerTool } from "./tools/answer-tool.ts";
export { INSTRUCTIONS } from "./tools/instructions.ts";
export { plasmRun } from "./tools/plasm-run.ts";
export { readMode, type ProgramMode } from "./tools/read-mode.ts";
export type {
  SchemaValue,
  Tool,
  ToolArguments,
  ToolCall,
  ToolDefinition,
  ToolInputSchema,
  ToolName,
} from "./tools/tool.ts";
export { nextTurn } from "@plasm/runtime";
