import { changingReadsRule } from "./capabilities/changing-reads.ts";
import { getsRule } from "./capabilities/gets.ts";
import { labelsRule } from "./capabilities/labels.ts";
import { mappingExistsRule } from "./capabilities/mapping-exists.ts";
import { openListsRule } from "./capabilities/open-lists.ts";
import { outputRule } from "./capabilities/output.ts";
import { parametersRule } from "./capabilities/parameters.ts";
import { capabilityReferencesRule } from "./capabilities/references.ts";
import { aliasesRule } from "./domain/aliases.ts";
import { allowOriginsRule } from "./domain/allow-origins.ts";
import { authRule } from "./domain/auth.ts";
import { backendRule } from "./domain/backend.ts";
import { oauthRule } from "./domain/oauth.ts";
import { versionRule } from "./domain/version.ts";
import { preconditionsRule } from "./input/preconditions.ts";
import { preflightRule } from "./input/preflight.ts";
import { preflightMergeRule } from "./input/preflight-merge.ts";
import { preflightNamesRule } from "./input/preflight-names.ts";
import { slotsRule } from "./input/slots.ts";
import { validationRule } from "./input/validation.ts";
import { variantsRule } from "./input/variants.ts";
import { evmRule } from "./mappings/evm.ts";
import { expressionsRule } from "./mappings/expressions.ts";
import { paginationRule } from "./mappings/pagination.ts";
import { parametersReadRule } from "./mappings/parameters.ts";
import { pathRule } from "./mappings/path.ts";
import { requestRule } from "./mappings/request.ts";
import { responseRule } from "./mappings/response.ts";
import { variablesRule } from "./mappings/variables.ts";
import { viewMappingRule } from "./mappings/view.ts";
import { overlayRule } from "./overlay/overlay.ts";
import { overlayTemplatesRule } from "./overlay/overlay-templates.ts";
import type { Rule } from "./rule.ts";
import { entityAliasesRule } from "./values/entity-aliases.ts";
import { entityReadsRule } from "./values/entity-reads.ts";
import { identityRule } from "./values/identity.ts";
import { materializeRule } from "./values/materialize.ts";
import { presentationRule } from "./values/presentation.ts";
import { relationBindingsRule } from "./values/relation-bindings.ts";
import { relationsRule } from "./values/relations.ts";
import { valueRefsRule } from "./values/value-refs.ts";
import { valueTypesRule } from "./values/value-types.ts";
import { templateCyclesRule } from "./views/template-cycles.ts";
import { viewCapabilityRule } from "./views/view-capability.ts";
import { viewCyclesRule } from "./views/view-cycles.ts";
import { viewNamesRule } from "./views/view-names.ts";
import { viewRelationsRule } from "./views/view-relations.ts";
import { viewTemplatesRule } from "./views/view-templates.ts";

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
