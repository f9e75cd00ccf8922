/**
 * What the other packages of this repository need of core besides its public surface. It promises nothing: names come
 * and go with any version (docs/adr/0011).
 */
export { sha256Hex } from "./base/canonical-json.ts";
export {
  type Decimal,
  compareDecimal,
  decimalValue,
  isBeyondDecimals,
  numberValue,
  parseDecimal,
} from "./base/decimal.ts";
export { ExactSum } from "./base/exact-sum.ts";
export { indexLines, snippet, spanAt } from "./base/source.ts";
export type { TextRange } from "./base/span.ts";
export { parseJsonText, stringEnd } from "./base/json-text.ts";
export { clip, compareCodePoints, editDistance, visible, visibleLines } from "./base/text.ts";
export { loadCatalog } from "./catalog/load-catalog.ts";
export {
  changeInName,
  changeSaidBy,
  nounsOf,
  readsAsRead,
  verbInCall,
} from "./catalog/rules/changing-reads.ts";
export { type ReadYaml, beyondYamlLimits, readYaml } from "./catalog/yaml/read-yaml.ts";
export { nameList, nearestName } from "./diagnostics/nearest-name.ts";
export { type GoalSeeds, namesByApi, seedsOfGoal } from "./discovery/discover.ts";
export { listNames } from "./discovery/index-catalogs.ts";
export { STOP_TERMS } from "./discovery/stop-words.ts";
export { tokenize } from "./discovery/words.ts";
export { everydayWords } from "./discovery/everyday-words.ts";
export { entityResolver, type ResolvedEntity, resolveApi } from "./discovery/resolve-entity.ts";
export {
  calledPrograms,
  definitionsText,
  type ProgramDefinition,
  readDefinitions,
} from "./language/definitions.ts";
export { parse as parseProgram } from "./language/grammar/parse.ts";
export { quoteText } from "./language/grammar/strings.ts";
export { cleanText } from "./teaching/clean-text.ts";
export { entitiesNamed } from "./symbols/exposure.ts";
export { preconditionText } from "./language/grammar/precondition-text.ts";
export { type BatchList, batchOf } from "./mapping/batch-lists.ts";
export { sentKeyParts } from "./mapping/anchors.ts";
export { capabilitySlots, receiverSlots } from "./mapping/capability-slots.ts";
export {
  type CallResult,
  callResult,
  innerCapabilities,
  preflightNames,
  preflightParameters,
  preflightRead,
  viewOf,
} from "./mapping/capability-views.ts";
export { evaluateValues } from "./mapping/evaluate-expression.ts";
export { evaluateAuxiliary, evaluateRequest } from "./mapping/evaluate-request.ts";
export type { ExpressionFunction } from "./mapping/evaluation.ts";
export {
  type PathBinding,
  identityNames,
  pathBindings,
  scopeBindings,
} from "./mapping/path-binding.ts";
export type {
  AuxiliaryMerge,
  BodyDescription,
  EvmCallTemplate,
  EvmLogDecode,
  EvmLogsTemplate,
  HttpMethod,
  HttpTemplate,
  MappingError,
  MappingResult,
  PageParam,
  Pagination,
  PartDescription,
  PathSegment,
  Preprocess,
  RequestDescription,
  ResponseShape,
  XmlMember,
  RequestTemplate,
} from "./mapping/template.ts";
export {
  TOTAL_HEADERS,
  isOffsetName,
  isPlaceName,
  isSizeName,
  plainPageName,
} from "./mapping/page-names.ts";
export { pathVariables, restVariables } from "./mapping/variables.ts";
export { templateExpressions } from "./mapping/visit-expression.ts";
export { coerceInput, wireInput } from "./model/coerce-input.ts";
export type { Slot } from "./model/input.ts";
export {
  backendSetting,
  bestGet,
  canBeSeed,
  capabilitiesOf,
  keyParts,
  mayHold,
  providedFields,
  provides,
} from "./model/lookups.ts";
export {
  type Auth,
  type Derive,
  type FurtherKey,
  type Materialize,
  type PreflightScope,
  type PreflightStep,
  type ScopeRule,
  type SecretSource,
  type Webhook,
  VIEW_PAGES,
  type View,
  type ViewNode,
  type ViewOutput,
  type ViewRelationOutput,
} from "./model/model.ts";
export type {
  DynamicFields,
  OverlaySource,
  OverlayStep,
  ProjectedEntity,
  ProjectedField,
  ProjectedOverlay,
  ProjectedScope,
  SchemaOverlay,
} from "./model/overlay.ts";
export { type Precondition, meetsPrecondition } from "./model/precondition.ts";
export { type JudgeValue, ruleFaults } from "./model/rule-faults.ts";
export { rootUnion, slotsOf } from "./model/slots-of.ts";
export {
  type EffectBody,
  type EffectNode,
  type Hole,
  type ReadBody,
  cursorPaths,
  holesOf,
  isEffect,
  editedArguments,
  type KeptName,
  keptName,
  keptNames,
  type NamedFile,
  namedFile,
  remadeKey,
  isEffectBody,
  isOfRow,
  nodeValues,
  requestValues,
  totalsRelation,
} from "./plan/algebra.ts";
export { isMuchWork } from "./plan/bill/make-bill.ts";
export { bindFiles, type FileFacts, filesOfPlan } from "./plan/files.ts";
export { MOST_COMPUTED } from "./plan/computed-size.ts";
export { errorSpan } from "./plan/error-span.ts";
export { type PairNode, isPair } from "./plan/pairs.ts";
export type {
  ComputeNode,
  DataNode,
  DeriveNode,
  ForEachBody,
  ForEachNode,
  GetNode,
  JoinNode,
  ListNode,
  PlanPred,
  RelationNode,
} from "./plan/ir.ts";
export {
  CHARACTERS_A_PIECE,
  PIECES_A_UNIT,
  WORK,
  comparisonsOf,
  predWork,
} from "./plan/local-work.ts";
export {
  type Approver,
  approverOf,
  effectKind,
  mayCall,
  mayUseApi,
  mayUseCapability,
  namesApprover,
  shownDropped,
} from "./policy/may-use.ts";
export { policyNameFaults, readPolicy } from "./policy/read-policies.ts";
export { shownSymbols } from "./symbols/exposure.ts";
export { type CutText, cutTexts } from "./teaching/cut-texts.ts";
export { programInNames } from "./teaching/program-in-names.ts";
export {
  type GraftHeader,
  type GraftSection,
  type IndexedGraft,
  abstractOf,
  cleanLine,
  compareGrafts,
  derivedGraftId,
  graftChanges,
  graftSection,
  isGraftId,
  wholeGraftSection,
} from "./teaching/grafts/graft-section.ts";
export { unchangedNotice } from "./teaching/teaching-session.ts";
export {
  type TemplateOutcome,
  evaluateInSteps,
  evaluateTemplate,
} from "./templates/evaluate/evaluate-template.ts";
export { parseTemplate } from "./templates/parse/parse-template.ts";
export { templateNames } from "./templates/template-names.ts";
export { type TemplateReads, templateReads } from "./templates/template-reads.ts";
export type { TemplateTree } from "./templates/tree.ts";
export { canonicalDate, coerceValue } from "./values/coerce-value.ts";
export { instantOf } from "./values/dates.ts";
export { type PairedAs, pairKey } from "./values/pair-key.ts";
export { relativeDateValue } from "./values/relative-date.ts";
export {
  type GroupKey,
  type OrderKey,
  compareSortKeys,
  compoundKeyText,
  groupKey,
  keyText,
  sortKey,
} from "./values/sort-key.ts";
export { jsonAt } from "./values/json-path.ts";
export { isPresent, memberTest, testValue } from "./values/test-value.ts";
export { elementType, isArray, isObject, valueTypeText } from "./values/value-type.ts";
export { arithmetic, type SpendWork } from "./values/arithmetic.ts";
export { computeExactly } from "./values/compute.ts";
export { type Exact, Quotient, settled, ValueFault } from "./values/numbers.ts";
export { valueText } from "./plan/render/show-value.ts";
export { cellPaths, columnPaths, isPath, opColumns } from "./plan/algebra.ts";
export type { PlanColumn, PlanKey } from "./plan/ir.ts";
