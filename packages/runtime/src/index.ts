export { ASYNC_WALL_SECONDS, DEFAULT_LIMITS, type Limits } from "./limits/limits.ts";
export type { PartialReason, RunDiagnostic, RunDiagnosticCode } from "./diagnostic.ts";
export type {
  BudgetUse,
  ContinueOutcome,
  ContinueRequest,
  Cursor,
  NodeOutcome,
  NodeStatus,
  ProgressEvent,
  ResultRow,
  RunContext,
  RunOutcome,
  RunRequest,
  RunResult,
} from "./execute/run-types.ts";
export type {
  Clock,
  CredentialScope,
  FunctionContext,
  FunctionTable,
  HeaderPair,
  IdSource,
  Ports,
  RegisteredFunction,
  SecretProvider,
  Transport,
  TransportFailure,
  TransportOutcome,
  TransportRequest,
  TransportResponse,
} from "./ports.ts";
export type { FailedRequest, RunError, RunErrorCode } from "./run-error.ts";
export type { SentRequest } from "./sent-request.ts";
