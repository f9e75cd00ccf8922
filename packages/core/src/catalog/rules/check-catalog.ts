import type { CatalogReading } from "../load-catalog.ts";
import { nodeAt } from "../catalog-file.ts";
import { partView } from "./part-view.ts";
import type { RuleContext } from "./rule.ts";
import { specifiedRules } from "./specified-rules.ts";

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
