export { compareDecimal } from "./decimal/compare-decimal.ts";
export { ExactSum } from "./decimal/exact-sum.ts";
export { decimalValue, numberValue } from "./decimal/number-value.ts";
export type { Decimal } from "./decimal/decimal.ts";
export { isBeyondDecimals, parseDecimal } from "./decimal/parse-decimal.ts";
export { runCodes, type RunCode } from "./diagnostics/codes.ts";
export type { Diagnostic, ErrorReport, ProgramError } from "./diagnostics/diagnostic.ts";
export { formatError, formatErrors } from "./diagnostics/format.ts";
export { nameList, nearestName } from "./diagnostics/nearest-name.ts";
export {
  discover,
  type Discovered,
  type DiscoverInput,
  type DiscoverOption,
} from "./discovery/discover.ts";
export { type ResolvedApi, resolveApi } from "./discovery/resolve-api.ts";
export {
  type EntityPlace,
  type ResolvedEntity,
  resolveEntity,
} from "./discovery/resolve-entity.ts";
export type { CatalogSet } from "./federation/catalog-set.ts";
export type { EntityKey } from "./federation/entity-key.ts";
export { canonicalJson } from "./hash/canonical-json.ts";
export { sha256Hex } from "./hash/sha256-hex.ts";
export type { CatalogDiagnostic } from "./load/diagnostic.ts";
export { formatCatalogDiagnostic } from "./load/format-diagnostic.ts";
export { preconditionText } from "./language/precondition-text.ts";
export { parse as parseProgram, type ParsedProgram } from "./language/parse.ts";
export { loadCatalog } from "./load/load-catalog.ts";
export { beyondYamlLimits, type YamlLimits } from "./load/yaml/beyond-limits.ts";
export type { YamlProblem } from "./load/yaml/problem.ts";
export { readYaml, type ReadYaml } from "./load/yaml/read-yaml.ts";
export { type CallResult, callResult } from "./mapping/call-result.ts";
export {
  type CapabilitySlots,
  capabilitySlots,
  receiverSlots,
} from "./mapping/capability-slots.ts";
export type { Catalog } from "./mapping/catalog.ts";
export type { DroppedPart } from "./mapping/dropped-part.ts";
export type { ExpressionFunction } from "./mapping/environment.ts";
export { evaluateAuxiliary, evaluateRequest } from "./mapping/evaluate-request.ts";
export { evaluateValues } from "./mapping/evaluate-values.ts";
export { sentKeyParts } from "./mapping/identity-use.ts";
export type { MappingError, MappingResult } from "./mapping/mapping-error.ts";
export {
  identityNames,
  type PathBinding,
  type PathSource,
  pathBindings,
  scopeBindings,
} from "./mapping/path-binding.ts";
export type {
  BodyDescription,
  PartDescription,
  RequestDescription,
} from "./mapping/request-description.ts";
export type {
  AuxiliaryMerge,
  EvmCallTemplate,
  EvmLogDecode,
  EvmLogsTemplate,
  HttpMethod,
  HttpTemplate,
  PageParam,
  Pagination,
  PathSegment,
  Preprocess,
  ResponseShape,
  Template,
} from "./mapping/template.ts";
export { preflightNames, preflightParameters, preflightRead } from "./mapping/preflight-names.ts";
export { templateExpressions } from "./mapping/template-expressions.ts";
export { pathVariables, restVariables } from "./mapping/variables.ts";
export { viewOf } from "./mapping/view-of.ts";
export { type OpenedCatalog, openCatalog } from "./open-catalog/open-catalog.ts";
export { isMuchWork } from "./plan/bill/make-bill.ts";
export { commitOf } from "./plan/commit.ts";
export { MOST_COMPUTED } from "./plan/computed-size.ts";
export { type Compiled, compileProgram, type CompileSettings } from "./plan/compile.ts";
export { errorSpan } from "./plan/error-span.ts";
export type { PlanNode } from "./plan/node.ts";
export { isExpensive, type PlanMeta, planMeta } from "./plan/plan-meta.ts";
export type { Bill, Figure, Plan, PlanBody, PlanReturn, PlanSummary, Reason } from "./plan/plan.ts";
export {
  CHARACTERS_A_PIECE,
  comparisonsOf,
  PIECES_A_UNIT,
  type PredWork,
  predWork,
  WORK,
} from "./plan/work-prices.ts";
export { renderPlan, renderReasons, type RenderOptions } from "./plan/render/render-plan.ts";
export type { Pred, PlanValue } from "./plan/value.ts";
export { BUDGET_NAMES, type ApiPolicy, type BudgetName, type Policy } from "./policy/policy.ts";
export { ALL_FEATURES, CURRENT_FEATURES, type Features } from "./policy/features.ts";
export { innerCapabilities } from "./mapping/view-of.ts";
export { mayCall, mayUseApi, mayUseCapability, shownDropped } from "./policy/may-use.ts";
export { demandsOperator, namesOperator } from "./policy/operator-level.ts";
export { policyNameFaults } from "./policy/policy-names.ts";
export {
  policyFor,
  readPolicies,
  readPolicy,
  type Policies,
  type ReadPolicies,
} from "./policy/read-policies.ts";
export type { Auth, FurtherKey, ScopeRule, SecretSource } from "./schema/auth.ts";
export { capabilitiesOf } from "./schema/capabilities-of.ts";
export { backendSetting } from "./schema/backend-setting.ts";
export type { Capability } from "./schema/capability.ts";
export { canBeSeed } from "./schema/can-be-seed.ts";
export type { Cgs } from "./schema/cgs.ts";
export {
  changeSaidBy,
  nounsOf,
  type SaidOfRead,
} from "./schema-rules/capabilities/changing-reads.ts";
export { coerceInput } from "./schema/coerce-input.ts";
export type { Entity } from "./schema/entity.ts";
export type { Derive, Field } from "./schema/field.ts";
export type { InputField, InputType, Slot } from "./schema/input.ts";
export { keyParts } from "./schema/key-parts.ts";
export type { DynamicFields, OverlaySource, OverlayStep, SchemaOverlay } from "./schema/overlay.ts";
export type {
  ProjectedEntity,
  ProjectedField,
  ProjectedOverlay,
  ProjectedScope,
} from "./schema/projected-overlay.ts";
export {
  meetsPrecondition,
  type Precondition,
  type PreconditionTest,
} from "./schema/precondition.ts";
export type { PreflightScope, PreflightStep } from "./schema/preflight.ts";
export { providedFields } from "./schema/provided-fields.ts";
export type { Materialize, Relation } from "./schema/relation.ts";
export { type JudgeValue, type RuleFault, ruleFaults } from "./schema/rule-faults.ts";
export { rootUnion, slotsOf } from "./schema/slots-of.ts";
export {
  VIEW_PAGES,
  type View,
  type ViewNode,
  type ViewOutput,
  type ViewRelationOutput,
} from "./schema/view.ts";
export { wireInput } from "./schema/wire-input.ts";
export { indexLines, spanAt } from "./source/line-index.ts";
export { snippet } from "./source/snippet.ts";
export type { Span, TextRange } from "./source/span.ts";
export type { Exposure, Notation } from "./symbols/exposure.ts";
export { type CheckedSeed, checkSeed } from "./symbols/check-seed.ts";
export { foldWaves, staleWave } from "./symbols/fold-waves.ts";
export { type ShownSymbols, shownSymbols } from "./symbols/shown-symbols.ts";
export type { SymbolMap } from "./symbols/symbol-map.ts";
export type { WaveEntry } from "./symbols/wave-entry.ts";
export {
  exposeSeeds,
  type Exposed,
  type ExposeInput,
  TaughtSessions,
} from "./teaching/expose-seeds.ts";
export { cutTexts, type CutText } from "./teaching/cut-texts.ts";
export { executableRows, type TaughtRow } from "./teaching/executable-rows.ts";
export { derivedGraftId, isGraftId, type GraftOrigin } from "./teaching/grafts/graft-id.ts";
export { compareGrafts, type IndexedGraft } from "./teaching/grafts/graft-line.ts";
export {
  graftChanges,
  graftSection,
  wholeGraftSection,
  type GraftHeader,
  type GraftSection,
} from "./teaching/grafts/graft-section.ts";
export { abstractOf, cleanLine } from "./teaching/grafts/graft-text.ts";
export { unchangedNotice } from "./teaching/unchanged-notice.ts";
export { promptHash, promptText, type WaveText } from "./teaching/wave-text.ts";
export {
  evaluateInSteps,
  evaluateTemplate,
  type TemplateOutcome,
} from "./templates/evaluate-template.ts";
export { parseTemplate } from "./templates/parse-template.ts";
export { templateNames } from "./templates/template-names.ts";
export { type TemplateReads, templateReads } from "./templates/template-reads.ts";
export type { TemplateTree } from "./templates/tree.ts";
export { compareCodePoints } from "./text/compare-code-points.ts";
export { editDistance } from "./text/edit-distance.ts";
export { visible, visibleLines } from "./text/visible.ts";
export { coerceValue, type Coerced } from "./values/coerce-value.ts";
export {
  compareInstants,
  fromMillis,
  type Instant,
  instantOf,
  parseInstant,
  sameDate,
} from "./values/instant.ts";
export type { Json, JsonObject } from "./values/json.ts";
export { keyText } from "./values/key-text.ts";
export { isRelativeDate, relativeDateValue, resolveRelativeDate } from "./values/relative-date.ts";
export {
  compareCells,
  compareSortKeys,
  type GroupKey,
  groupKey,
  type SortKey,
  sortKey,
} from "./values/sort-key.ts";
export { memberTest } from "./values/member-test.ts";
export { type TestOperator, testValue } from "./values/test-value.ts";
export { elementType, type TemporalFormat, type ValueType } from "./values/value-type.ts";
export { type TypeNames, valueTypeText } from "./values/value-type-text.ts";
export { canonicalDate, wireDate } from "./values/wire-date.ts";
