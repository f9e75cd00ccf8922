/**
 * What the other packages of this repository need of agent-core besides its public surface. It promises nothing: names
 * come and go with any version (docs/adr/0011).
 */
export { tokenCounter } from "./answer/tokens.ts";
export { linkAudit, noteAudit } from "./audit/audit-log.ts";
export { FIRST_PREV, lineFault } from "./audit/chain.ts";
export { type AuditPage, type AuditQuery, type AuditReader, auditIn } from "./audit/read-audit.ts";
export { REGISTRY_URI, parseResourceUri } from "./artifacts/uris.ts";
export { refuseUnknown } from "./errors/arguments.ts";
export {
  fail,
  problem,
  problemDocument,
  type SeedChoice,
  type SignInLink,
} from "./errors/problem.ts";
export { DEFAULT_PROFILE } from "./grafts/graft-key.ts";
export { httpGraftProvider } from "./grafts/provider.ts";
export {
  AUTH_MODES,
  type AuthMode,
  type Authenticator,
  type ProvenIdentity,
  createAuthenticator,
  roleHoldersOf,
  noAuthentication,
} from "./identity/authenticator.ts";
export { NOBODY, principalOf, userOf } from "./identity/caller.ts";
export {
  type KeyOwner,
  type KeyRing,
  type Operator,
  type RoleHolders,
  adminOf,
  isExpiredKey,
  keysIn,
  mayMonitor,
  operatorOf,
} from "./identity/keys.ts";
export {
  isOfIssuer,
  isProven,
  isTenantName,
  scopeOfConnection,
  tenantForm,
  tenantOfScope,
} from "./identity/tenant-scope.ts";
export { insufficientScope, type TokenRoles, type TokenScopes } from "./identity/token-claims.ts";
export {
  personVerifier,
  type TokenIssuer,
  tokenVerifier,
  type VerifiedToken,
  type VerifyToken,
} from "./identity/tokens.ts";
export {
  type Approvals,
  approvalsIn,
  type ClientDecisions,
  clientDecisionsIn,
  type OwnWaiting,
  type Verdict,
  type WaitingPage,
} from "./program/gate/approvals.ts";
export { OPERATION_LIMITS } from "./program/operation/seats.ts";
export { OPERATION_STATES, type OperationRow } from "./program/operation/all-operations.ts";
export type { RegistryEntryView, RegistryRow } from "./registry/listing.ts";
export { type SetAsideOperations, setAsideOperationsIn } from "./program/operation/set-aside.ts";
export {
  type CatalogAdmin,
  type Import,
  SESSIONS_THEN,
  type SessionsThen,
  type Withdrawn,
  catalogAdmin,
} from "./registry/catalog-admin.ts";
export { catalogOrigin } from "./registry/catalog-origin.ts";
export { type HasCredential, type LiveRegistry, liveRegistry } from "./registry/live-registry.ts";
export type { CatalogOrigin } from "./records/sessions.ts";
export { type DriftCount, driftSignsOf } from "./program/run/drift-signs.ts";
export { type QuotaUse, quotaUse } from "./quotas/ledger.ts";
export { type PolicyAdmin, policyAdmin, storedPolicies } from "./registry/policies.ts";
export { keepWithin } from "./retention/keep-within.ts";
export { DEFAULT_BOUNDS, DEFAULT_RETENTION } from "./retention/retention.ts";
export { sweep } from "./retention/sweep.ts";
export { noteConnectionUsed } from "./session/connections.ts";
export type { NoticeTarget } from "./notices/outbox.ts";
export type { Notice } from "./records/notices.ts";
export { deploymentSecrets, ofItsUser, usersSecrets } from "./session/secrets.ts";
export { TOOLS, plasmRun, plasmShow } from "./tools/all-tools.ts";
export {
  INSTRUCTIONS,
  type ProgramMode,
  type Tool,
  type ToolArguments,
  type ToolCall,
  answerTool,
  readMode,
} from "./tools/tool.ts";
export { AUDIT_KINDS, type AuditFacts, type AuditKind, type AuditLine } from "./records/audit.ts";
export { nextTurn } from "@plasm/runtime";
export type { SignInInvitations } from "./program/deps.ts";
export { METER, SECONDS } from "./meter.ts";
