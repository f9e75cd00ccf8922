export {
  type CredentialFiles,
  type KeyRotation,
  credentialDirectory,
  openCredentialFiles,
} from "./request/auth/credential-files.ts";
export { ShareError } from "./request/auth/share-account.ts";
export {
  type CredentialOwner,
  type SharedWith,
  type StoredCredential,
} from "./request/auth/credential-records.ts";
export { offersSignIn, SignInError, type SignInSetting } from "./request/auth/oauth-provider.ts";
export {
  beginSignIn,
  type BegunSignIn,
  finishSignIn,
  isAnswerTo,
  type PendingSignIn,
} from "./request/auth/code-sign-in.ts";
export { beginDeviceSignIn, type DeviceCode } from "./request/auth/device-sign-in.ts";
export { revokeEnvelope } from "./request/auth/sign-in.ts";
export { isEnvelope } from "./request/auth/envelope.ts";
export { StoredSecretError } from "./request/auth/secret-keys.ts";
export { credentialHelp } from "./request/auth/credential-help.ts";
export {
  envSecrets,
  fileSecrets,
  importedRefusal,
  variableRefusal,
  variablesOf,
  type VariableRules,
} from "./request/auth/secret-provider.ts";
export {
  accountKey,
  chooseAccountText,
  defaultHostedKey,
  endedLabel,
  isAccountLabel,
  isSharedLabel,
  sharedLabel,
  type SecretPart,
  severalAccountsText,
} from "./request/auth/credential-help.ts";
export {
  credentialFault,
  accountChoice,
  type AccountChoice,
  credentialIsPresent,
  ownCredentialIsPresent,
  type SecretsAtHand,
} from "./request/auth/secret-sources.ts";
export { defaultScopes, lackingScopes, type LackingScopes } from "./request/auth/scopes.ts";
export { createTokenCache } from "./request/auth/token-credential.ts";
export type { PartialReason, RunDiagnostic, RunDiagnosticCode } from "./base/diagnostic.ts";
export type {
  EarlierAttempt,
  EffectEntry,
  EffectLog,
  EffectStatus,
  ExpectedEffect,
  KeptForUndo,
} from "./effects/effect-log.ts";
export { type EffectName, whatToLookAt } from "./effects/effect-log.ts";
export { continueCursor } from "./run/continue-cursor.ts";
export { type DecodedList, decodeList } from "./run/decode-list.ts";
export { openOverlay, type OverlayOutcome, type OverlayOrigin } from "./run/read-overlay.ts";
export type { JudgedPrecondition } from "./run/effects/preconditions.ts";
export { type ExplainedChange, type ExplainedEffect } from "./run/effects/explain-effect.ts";
export { explainPlan, type ExplainOutcome, type ExplainRequest, runPlan } from "./run/run-plan.ts";
export type {
  BudgetUse,
  ContinueOutcome,
  ContinueRequest,
  Cursor,
  NodeName,
  NodeOutcome,
  NodeStatus,
  ProgressEvent,
  ResultRow,
  KeptValues,
  RunContext,
  RunOutcome,
  RunRequest,
  RunResult,
} from "./run/run-types.ts";
export { createSharedHosts, type SharedHosts, type TenantHosts } from "./limits/gate.ts";
export {
  ASYNC_WALL_SECONDS,
  DEFAULT_FILE_RULES,
  DEFAULT_LIMITS,
  FILE_SETTINGS,
  type FileRules,
  type Limits,
} from "./limits/limits.ts";
export {
  ROW_SETTINGS,
  rowLimits,
  type RowLimits,
  RowMemory,
  type RunMemory,
} from "./limits/row-memory.ts";
export { openSpillPlace, spilledBytes, type SpillPlace } from "./rows/shelf.ts";
export { applyOverlay } from "./overlays/apply-overlay.ts";
export { type DigestParts, effectiveDigest } from "./overlays/apply-overlay.ts";
export { FileNotKeptError } from "./ports.ts";
export type {
  ArtifactStore,
  Clock,
  CredentialScope,
  FileTaker,
  FunctionContext,
  FunctionTable,
  HeaderPair,
  IdSource,
  Ports,
  RegisteredFunction,
  RequestMark,
  RequestShape,
  RunSource,
  SecretProvider,
  StoredFile,
  StreamedBytes,
  AccessToken,
  TokenCache,
  Transport,
  TransportFailure,
  TransportOutcome,
  TransportRequest,
  TransportResponse,
} from "./ports.ts";
export {
  type CompiledCatalog,
  type CompiledCache,
  type CompiledFrom,
  compiledCache,
  type EngineCode,
  openCompiledCache,
} from "./registry/compiled-cache.ts";
export { catalogPath } from "./registry/find-catalogs.ts";
export { type CatalogRef, findCatalogs } from "./registry/find-catalogs.ts";
export {
  type CatalogTexts,
  openCatalogPlace,
  openCatalogTexts,
  type OpenedCatalogRef,
  type OpenPlaceOptions,
  readCatalogTexts,
  type ReadTexts,
} from "./registry/open-catalog-place.ts";
export {
  type LoadOptions,
  loadCatalogDirectory,
  type Lookup,
  type Plugin,
  type RegisteredPlugins,
  registerPlugins,
  type Registry,
  type RegistryEntry,
  type SkippedCatalog,
} from "./registry/registry.ts";
export { backendSetting } from "@plasm/core/internal";
export { effectiveBackends } from "./request/effective-backend.ts";
export { aggregateRows, groupRows, type RowAggregate } from "./rows/aggregate-rows.ts";
export { plainCells } from "./run/derived-cells.ts";
export { type PairKey, type PairSide, pairRows } from "./rows/pair-rows.ts";
export { type Row, wholeRow } from "./rows/row.ts";
export { type RowColumn, rowColumn } from "./rows/row.ts";
export { RowWork } from "./rows/row-work.ts";
export { type SortBy, sortRows } from "./rows/sort-rows.ts";
export type { EndedNode, RequestWatch, RunObserver, StartedNode, StartedRequest } from "./ports.ts";
export type { FailedRequest, RunError, RunErrorCode } from "./base/run-failure.ts";
export type { SentRequest } from "./ports.ts";
export { RunStop } from "./limits/limits.ts";
export { systemClock, systemIds } from "./ports.ts";
export type {
  ForeignTemplate,
  TransportAnswer,
  TransportCall,
  TransportPage,
  TransportReader,
  TransportReaders,
} from "./transport-reader.ts";
export { type FailureDetail, failure, RunFailure } from "./base/run-failure.ts";
export { createHttpTransport } from "./transport/http-transport.ts";
export {
  outboundFetch,
  type OutboundProxies,
  outboundProxies,
} from "./transport/outbound-proxies.ts";
export {
  openRecording,
  type Recording,
  type RecordingOptions,
} from "./recording/open-recording.ts";
export { RecordingError } from "./recording/recording-file.ts";
export type { RecordingMode } from "./recording/recording-transport.ts";
export type { SessionOrigins } from "./views/view-scope.ts";
export { type NextTurn, nextTurn } from "./base/turns.ts";
