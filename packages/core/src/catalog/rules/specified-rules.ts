import { changingReadsRule } from "./changing-reads.ts";
import {
  capabilityReferencesRule,
  getsRule,
  labelsRule,
  mappingExistsRule,
  openListsRule,
  outputRule,
  parametersRule,
} from "./capabilities.ts";
import { aliasesRule, allowOriginsRule, authRule, backendRule, versionRule } from "./domain.ts";
import { oauthRule } from "./oauth.ts";
import { preconditionsRule } from "./preconditions.ts";
import { batchRule } from "./batch.ts";
import { countRule } from "./count.ts";
import { sortRule } from "./sort.ts";
import { listsOnlyRule } from "./lists-only.ts";
import { preflightMergeRule, preflightRule } from "./preflight.ts";
import { preflightNamesRule } from "./preflight-names.ts";
import { undoRule } from "./undo.ts";
import { webhooksRule } from "./webhooks.ts";
import { slotsRule, variantsRule } from "./input-slots.ts";
import { validationRule } from "./validation.ts";
import { evmRule } from "./evm.ts";
import {
  expressionsRule,
  parametersReadRule,
  variablesRule,
  viewMappingRule,
} from "./expressions.ts";
import { paginationRule, pathRule, requestRule, responseRule } from "./requests.ts";
import { overlayRule, overlayTemplatesRule } from "./overlays.ts";
import type { Rule } from "./rule.ts";
import {
  entityAliasesRule,
  entityReadsRule,
  identityRule,
  presentationRule,
  valueRefsRule,
  valueTypesRule,
} from "./entities.ts";
import { materializeRule, relationBindingsRule, relationsRule } from "./relations.ts";
import { templateCyclesRule, viewRelationsRule, viewTemplatesRule } from "./view-templates.ts";
import { viewCapabilityRule } from "./view-capability.ts";
import { viewCyclesRule, viewNamesRule } from "./view-names.ts";

/** Every rule on a catalog's files, in the order of the formats' numbers. */
export const specifiedRules: readonly Rule[] = [
  backendRule,
  versionRule,
  aliasesRule,
  allowOriginsRule,
  valueTypesRule,
  valueRefsRule,
  identityRule,
  entityAliasesRule,
  entityReadsRule,
  presentationRule,
  relationsRule,
  materializeRule,
  relationBindingsRule,
  capabilityReferencesRule,
  mappingExistsRule,
  labelsRule,
  openListsRule,
  outputRule,
  parametersRule,
  getsRule,
  changingReadsRule,
  slotsRule,
  variantsRule,
  validationRule,
  authRule,
  oauthRule,
  viewCapabilityRule,
  viewNamesRule,
  viewCyclesRule,
  templateCyclesRule,
  viewRelationsRule,
  viewTemplatesRule,
  preflightRule,
  preflightNamesRule,
  preflightMergeRule,
  preconditionsRule,
  sortRule,
  countRule,
  listsOnlyRule,
  batchRule,
  undoRule,
  webhooksRule,
  overlayRule,
  overlayTemplatesRule,
  variablesRule,
  parametersReadRule,
  expressionsRule,
  pathRule,
  requestRule,
  responseRule,
  paginationRule,
  viewMappingRule,
  evmRule,
];
