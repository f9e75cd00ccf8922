import { nodeAt } from "../catalog-file.ts";
import type { CatalogReading } from "../load-catalog.ts";
import {
  capabilityReferencesRule,
  getsRule,
  labelsRule,
  mappingExistsRule,
  openListsRule,
  outputRule,
  parametersRule,
} from "./capabilities.ts";
import { changingReadsRule } from "./changing-reads.ts";
import {
  aliasesRule,
  allowOriginsRule,
  authRule,
  backendRule,
  oauthRule,
  versionRule,
  webhooksRule,
} from "./domain.ts";
import {
  entityAliasesRule,
  entityReadsRule,
  identityRule,
  presentationRule,
  valueRefsRule,
  valueTypesRule,
} from "./entities.ts";
import { evmRule } from "./evm.ts";
import {
  expressionsRule,
  parametersReadRule,
  variablesRule,
  viewMappingRule,
} from "./expressions.ts";
import { slotsRule, validationRule, variantsRule } from "./input-slots.ts";
import { batchRule, countRule, listsOnlyRule, sortRule } from "./list-rules.ts";
import { overlayRule, overlayTemplatesRule } from "./overlays.ts";
import { partView } from "./part-view.ts";
import { preconditionsRule } from "./preconditions.ts";
import { preflightMergeRule, preflightNamesRule, preflightRule } from "./preflight.ts";
import { materializeRule, relationBindingsRule, relationsRule } from "./relations.ts";
import { paginationRule, pathRule, requestRule, responseRule } from "./requests.ts";
import type { Rule, RuleContext } from "./rule.ts";
import { undoRule } from "./undo.ts";
import { viewCapabilityRule, viewCyclesRule, viewNamesRule } from "./view-names.ts";
import { templateCyclesRule, viewRelationsRule, viewTemplatesRule } from "./view-templates.ts";

/** Every rule on a catalog's files, in the order of the formats' numbers. */
const specifiedRules: readonly Rule[] = [
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

/** Where the names stand that all else refers to. */
const SECTIONS: readonly string[] = ["values", "entities", "capabilities"];

/**
 * Runs every rule over a draft; what they find is added to the diagnostics of its files. Rules keep
 * silent about parts that the readers already found faulty, so that one mistake is told once;
 * where a whole section cannot be read, every name that leads there would be one.
 */
export function checkCatalog(draft: CatalogReading): void {
  const inDomain = partView(draft.parts.domain);
  const { root } = draft.parts.domain.parsed;
  const lost = (name: string) => inDomain.faulty([name]) && nodeAt(root, [name])?.kind !== "map";
  if (SECTIONS.some(lost)) return;
  const { entryId, functions, domain, mappings, cgs, cml, parts } = draft;
  const context: RuleContext = {
    entryId,
    functions,
    domain,
    mappings,
    catalog: { entryId, digest: "", cgs, cml },
    inDomain,
    inMappings: partView(parts.mappings),
  };
  for (const rule of specifiedRules) rule(context);
}
