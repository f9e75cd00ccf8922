export { compareDecimal } from "./base/decimal.ts";
export { ExactSum } from "./base/exact-sum.ts";
export { decimalValue, numberValue } from "./base/decimal.ts";
export type { Decimal } from "./base/decimal.ts";
export { isBeyondDecimals, parseDecimal } from "./base/decimal.ts";
export { runCodes, type RunCode } from "./diagnostics/codes.ts";
export type { Diagnostic, ErrorReport, ProgramError } from "./diagnostics/diagnostic.ts";
export { formatError, formatErrors } from "./diagnostics/diagnostic.ts";
export { nameList, nearestName } from "./diagnostics/nearest-name.ts";
export {
  discover,
  type Discovered,
  type DiscoverInput,
  type DiscoverOption,
} from "./discovery/discover.ts";
export { type ResolvedApi, resolveApi } from "./discovery/resolve-entity.ts";
export { type EntityRef, type ResolvedEntity, resolveEntity } from "./discovery/resolve-entity.ts";
export type { CatalogSet } from "./catalog/federation.ts";
export type { EntityKey } from "./catalog/federation.ts";
export { canonicalJson } from "./base/canonical-json.ts";
export { sha256Hex } from "./base/canonical-json.ts";
export type { CatalogDiagnostic } from "./catalog/reporter.ts";
export { formatCatalogDiagnostic } from "./catalog/reporter.ts";
export { preconditionText } from "./language/grammar/precondition-text.ts";
export { parse as parseProgram, type ParsedProgram } from "./language/grammar/parse.ts";
export { loadCatalog } from "./catalog/load-catalog.ts";
export { beyondYamlLimits, type YamlLimits } from "./catalog/yaml/read-yaml.ts";
export type { YamlProblem } from "./catalog/yaml/read-yaml.ts";
export { readYaml, type ReadYaml } from "./catalog/yaml/read-yaml.ts";
export { type CallResult, callResult } from "./mapping/capability-views.ts";
export {
  type CapabilitySlots,
  capabilitySlots,
  receiverSlots,
} from "./mapping/capability-slots.ts";
export type { Catalog } from "./mapping/template.ts";
export type { DroppedPart } from "./mapping/template.ts";
export type { ExpressionFunction } from "./mapping/evaluation.ts";
export { evaluateAuxiliary, evaluateRequest } from "./mapping/evaluate-request.ts";
export { evaluateValues } from "./mapping/evaluate-expression.ts";
export { sentKeyParts } from "./mapping/anchors.ts";
export type { MappingError, MappingResult } from "./mapping/template.ts";
export {
  identityNames,
  type PathBinding,
  type PathSource,
  pathBindings,
  scopeBindings,
} from "./mapping/path-binding.ts";
export type { BodyDescription, PartDescription, RequestDescription } from "./mapping/template.ts";
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
export { preflightNames, preflightParameters, preflightRead } from "./mapping/capability-views.ts";
export { templateExpressions } from "./mapping/visit-expression.ts";
export { pathVariables, restVariables } from "./mapping/variables.ts";
export { viewOf } from "./mapping/capability-views.ts";
export { type OpenedCatalog, openCatalog } from "./catalog/open/open-catalog.ts";
export { isMuchWork } from "./plan/bill/make-bill.ts";
export { commitOf } from "./plan/commit.ts";
export { MOST_COMPUTED } from "./plan/computed-size.ts";
export { type Compiled, compileProgram, type CompileSettings } from "./plan/compile.ts";
export { errorSpan } from "./plan/error-span.ts";
export {
  cursorPaths,
  type EffectBody,
  type EffectNode,
  type Hole,
  holesOf,
  isEffect,
  isEffectBody,
  nodeValues,
  type ReadBody,
  requestValues,
} from "./plan/algebra.ts";
export type {
  ComputeNode,
  DataNode,
  DeriveNode,
  ForEachBody,
  ForEachNode,
  GetNode,
  JoinNode,
  ListNode,
  PlanNode,
  RelationNode,
} from "./plan/ir.ts";
export { isExpensive, type PlanMeta, planMeta } from "./plan/commit.ts";
export type { Bill, Figure, Plan, PlanBody, PlanReturn, PlanSummary, Reason } from "./plan/ir.ts";
export {
  CHARACTERS_A_PIECE,
  comparisonsOf,
  PIECES_A_UNIT,
  type PredWork,
  predWork,
  WORK,
} from "./plan/local-work.ts";
export { renderPlan, renderReasons, type RenderOptions } from "./plan/render/render-plan.ts";
export type { Pred, PlanValue } from "./plan/ir.ts";
export { BUDGET_NAMES, type ApiPolicy, type BudgetName, type Policy } from "./policy/policy.ts";
export { ALL_FEATURES, CURRENT_FEATURES, type Features } from "./policy/policy.ts";
export { innerCapabilities } from "./mapping/capability-views.ts";
export { mayCall, mayUseApi, mayUseCapability, shownDropped } from "./policy/may-use.ts";
export { demandsOperator, namesOperator } from "./policy/may-use.ts";
export { policyNameFaults } from "./policy/read-policies.ts";
export {
  policyFor,
  readPolicies,
  readPolicy,
  type Policies,
  type ReadPolicies,
} from "./policy/read-policies.ts";
export type { Auth, FurtherKey, ScopeRule, SecretSource } from "./model/model.ts";
export { capabilitiesOf } from "./model/lookups.ts";
export { backendSetting } from "./model/lookups.ts";
export type { Capability } from "./model/model.ts";
export { canBeSeed } from "./model/lookups.ts";
export type { Cgs } from "./model/model.ts";
export { changeSaidBy, nounsOf, type SaidOfRead } from "./catalog/rules/changing-reads.ts";
export { coerceInput } from "./model/coerce-input.ts";
export type { Entity } from "./model/model.ts";
export type { Derive, Field } from "./model/model.ts";
export type { InputField, InputType, Slot } from "./model/input.ts";
export { keyParts } from "./model/lookups.ts";
export type { DynamicFields, OverlaySource, OverlayStep, SchemaOverlay } from "./model/overlay.ts";
export type {
  ProjectedEntity,
  ProjectedField,
  ProjectedOverlay,
  ProjectedScope,
} from "./model/overlay.ts";
export {
  meetsPrecondition,
  type Precondition,
  type PreconditionTest,
} from "./model/precondition.ts";
export type { PreflightScope, PreflightStep } from "./model/model.ts";
export { providedFields } from "./model/lookups.ts";
export type { Materialize, Relation } from "./model/model.ts";
export { type JudgeValue, type RuleFault, ruleFaults } from "./model/rule-faults.ts";
export { rootUnion, slotsOf } from "./model/slots-of.ts";
export {
  VIEW_PAGES,
  type View,
  type ViewNode,
  type ViewOutput,
  type ViewRelationOutput,
} from "./model/model.ts";
export { wireInput } from "./model/coerce-input.ts";
export { indexLines, spanAt } from "./base/source.ts";
export { snippet } from "./base/source.ts";
export type { Span, TextRange } from "./base/span.ts";
export type { Exposure, Notation } from "./symbols/exposure.ts";
export { type CheckedSeed, checkSeed } from "./symbols/waves.ts";
export { foldWaves, staleWave } from "./symbols/waves.ts";
export { type ShownSymbols, shownSymbols } from "./symbols/exposure.ts";
export type { SymbolMap } from "./symbols/symbols.ts";
export type { WaveEntry } from "./symbols/waves.ts";
export {
  exposeSeeds,
  type Exposed,
  type ExposeInput,
  TaughtSessions,
} from "./teaching/expose-seeds.ts";
export { cutTexts, type CutText } from "./teaching/cut-texts.ts";
export { executableRows, type TaughtRow } from "./teaching/expose-seeds.ts";
export { derivedGraftId, isGraftId, type GraftOrigin } from "./teaching/grafts/graft-section.ts";
export { compareGrafts, type IndexedGraft } from "./teaching/grafts/graft-section.ts";
export {
  graftChanges,
  graftSection,
  wholeGraftSection,
  type GraftHeader,
  type GraftSection,
} from "./teaching/grafts/graft-section.ts";
export { abstractOf, cleanLine } from "./teaching/grafts/graft-section.ts";
export { unchangedNotice } from "./teaching/teaching-session.ts";
export { promptHash, promptText, type WaveText } from "./teaching/wave-text.ts";
export {
  evaluateInSteps,
  evaluateTemplate,
  type TemplateOutcome,
} from "./templates/evaluate/evaluate-template.ts";
export { parseTemplate } from "./templates/parse/parse-template.ts";
export { templateNames } from "./templates/template-names.ts";
export { type TemplateReads, templateReads } from "./templates/template-reads.ts";
export type { TemplateTree } from "./templates/tree.ts";
export { compareCodePoints } from "./base/text.ts";
export { editDistance } from "./base/text.ts";
export { visible, visibleLines } from "./base/text.ts";
export { coerceValue, type Coerced } from "./values/coerce-value.ts";
export {
  compareInstants,
  fromMillis,
  type Instant,
  instantOf,
  parseInstant,
  sameDate,
} from "./values/dates.ts";
export type { Json, JsonObject } from "./values/value-type.ts";
export { keyText } from "./values/sort-key.ts";
export { isRelativeDate, relativeDateValue, resolveRelativeDate } from "./values/relative-date.ts";
export {
  compareCells,
  compareSortKeys,
  type GroupKey,
  groupKey,
  type SortKey,
  sortKey,
} from "./values/sort-key.ts";
export { memberTest } from "./values/test-value.ts";
export { type TestOperator, testValue } from "./values/test-value.ts";
export { elementType, type TemporalFormat, type ValueType } from "./values/value-type.ts";
export { type TypeNames, valueTypeText } from "./values/value-type.ts";
export { canonicalDate, wireDate } from "./values/coerce-value.ts";
