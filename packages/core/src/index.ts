/** What people who embed core, or write catalogs, stores and transports, may rely on (docs/adr/0011). */
export { canonicalJson } from "./base/canonical-json.ts";
export type { Span } from "./base/span.ts";
export type { CatalogSet, EntityKey } from "./catalog/federation.ts";
export { type OpenedCatalog, openCatalog } from "./catalog/open/open-catalog.ts";
export { type CatalogDiagnostic, formatCatalogDiagnostic } from "./catalog/reporter.ts";
export { type RunCode, runCodes } from "./diagnostics/codes.ts";
export {
  type Diagnostic,
  type ErrorReport,
  type ProgramError,
  formatError,
  formatErrors,
} from "./diagnostics/diagnostic.ts";
export {
  type DiscoverInput,
  type DiscoverOption,
  type Discovered,
  discover,
} from "./discovery/discover.ts";
export type { EntityRef } from "./discovery/resolve-entity.ts";
export type { Catalog } from "./mapping/template.ts";
export type { InputField, InputType } from "./model/input.ts";
export type { Capability, Cgs, Entity, Field, Relation } from "./model/model.ts";
export { type PlanMeta, commitOf, planMeta } from "./plan/commit.ts";
export { type CompileSettings, type Compiled, compileProgram } from "./plan/compile.ts";
export type {
  Bill,
  Figure,
  Plan,
  PlanBody,
  PlanNode,
  PlanReturn,
  PlanSummary,
  Undoes,
  PlanValue,
  Reason,
} from "./plan/ir.ts";
export { type RenderOptions, renderPlan, renderReasons } from "./plan/render/render-plan.ts";
export {
  ALL_FEATURES,
  type ApiPolicy,
  BUDGET_NAMES,
  type BudgetName,
  CURRENT_FEATURES,
  type Features,
  type Policy,
  type ProgramApproval,
  type Quota,
  QUOTA_MEASURES,
  type QuotaMeasure,
  type Quotas,
  type ReadBudget,
} from "./policy/policy.ts";
export {
  type Policies,
  type ReadPolicies,
  policyFor,
  readPolicies,
} from "./policy/read-policies.ts";
export type { Exposure, Notation } from "./symbols/exposure.ts";
export type { SymbolMap } from "./symbols/symbols.ts";
export { type WaveEntry, foldWaves } from "./symbols/waves.ts";
export {
  type ExposeInput,
  type Exposed,
  TaughtSessions,
  exposeSeeds,
} from "./teaching/expose-seeds.ts";
export { type WaveText, promptHash, promptText } from "./teaching/wave-text.ts";
export type { Json, JsonObject, ValueType } from "./values/value-type.ts";
