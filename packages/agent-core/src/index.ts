/** What people who embed Plasm, or write stores, queues and providers for it, may rely on (docs/adr/0011). */
export type { Answer, ResourceAnswer, RunAnswer, StructuredResult } from "./answer/answer.ts";
export type { ArtifactName } from "./artifacts/snapshots.ts";
export { createEngine } from "./create-engine.ts";
export {
  type AgentSession,
  type ApprovalDecision,
  type CallOptions,
  type ContextAnswer,
  type ContextOptions,
  type DiscoverOptions,
  type ExplainOptions,
  type PlanAnswer,
  type Planned,
  type RunOptions,
  type Seed,
  type SessionApprovals,
  type ToolResult,
  createAgentSession,
} from "./embed/agent-session.ts";
export type { ApprovalView } from "./program/gate/approvals.ts";
export { type Plasm, type PlasmOptions, openPlasm } from "./embed/open-plasm.ts";
export type { EngineOptions } from "./engine-context.ts";
export type { Engine } from "./engine.ts";
export {
  Failure,
  PROBLEMS,
  type Problem,
  type ProblemCode,
  type ProblemDetail,
  type ProblemError,
} from "./errors/problem.ts";
export type { FetchGraftArguments } from "./grafts/fetch.ts";
export type { GraftSettings } from "./grafts/graft-key.ts";
export type { GraftIndex, ReadGraft } from "./grafts/read.ts";
export { type Caller, LOCAL } from "./identity/caller.ts";
export { LocalQueue } from "./local-queue.ts";
export {
  type MemoryStore,
  type MemoryStoreOptions,
  memoryStore,
} from "./memory-store/memory-store.ts";
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
  PlanOutcome,
  PlannedOutcome,
} from "./outcome.ts";
export type {
  CatalogRegistry,
  GraftProvider,
  GraftQuestion,
  OperationKey,
  OperationQueue,
  PolicyProvider,
  RegisteredCatalog,
} from "./ports.ts";
export type { CallName, CancellableCall } from "./program/calls.ts";
export type { OperationNote, StopHearing } from "./program/operation/events.ts";
export type { RunsPage } from "./program/operation/list-runs.ts";
export type { SavedPrograms } from "./program/saved/saved-programs.ts";
export type { SavedProgramRow, SavedProgramView } from "./program/saved/shelf.ts";
export type {
  MissedView,
  ScheduledRunView,
  ScheduleView,
  WatchEvents,
  WatchEventView,
} from "./program/schedules/schedule-views.ts";
export type { SentWatchEvent } from "./program/schedules/watch-events.ts";
export type { ScheduleRequest, Schedules } from "./program/schedules/schedules.ts";
export type { OperationLimits } from "./program/operation/seats.ts";
export type {
  StartedTask,
  TaskArguments,
  TaskStatus,
  TaskView,
  Tasks,
} from "./program/operation/tasks.ts";
export type { OperationView, StreamEvent } from "./program/operation/watch-operation.ts";
export type { RunArguments, RunProgress } from "./program/run/run-request.ts";
export type {
  CursorRecord,
  CursorSource,
  GraftRecord,
  GraftSetRecord,
  SnapshotRecord,
} from "./records/artifacts.ts";
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
  OperationRecord,
  OperationState,
  OperationEnding,
  OperationStep,
  TaskRecord,
} from "./records/operations.ts";
export type {
  ConnectionRecord,
  ConnectionSession,
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
  TraceEvent,
  TraceFact,
  TraceHead,
  TraceKey,
  TracePortion,
  TraceTotals,
  TracedCall,
} from "./records/traces.ts";
export type { DiscoverArguments } from "./registry/listing.ts";
export { registeredCatalog } from "./registry/live-registry.ts";
export type { Retention, StoreBounds } from "./retention/retention.ts";
export type { ContextRequest } from "./session/context-request.ts";
export type { SessionAddress } from "./session/handles.ts";
export type { SessionSecrets, SessionSecretsOf } from "./session/secrets.ts";
export type {
  Aged,
  AskedSlot,
  CounterKind,
  HeldSlot,
  ListedTypes,
  RecordKind,
  RecordTypes,
  SessionAtSlot,
  Storage,
  Store,
  StoreOps,
  StoreSize,
  StoreUpkeep,
  IdRange,
  Stored,
  TextField,
  Usage,
} from "./store-port.ts";
export type { SchemaValue, ToolDefinition, ToolInputSchema, ToolName } from "./tools/tool.ts";
export {
  type TraceDetail,
  type TracePatch,
  type TraceSummary,
  applyTracePatch,
} from "./trace/trace-view.ts";
export type { TraceMessage } from "./trace/watch-trace.ts";
