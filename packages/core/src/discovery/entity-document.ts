import type { Catalog } from "../mapping/catalog.ts";
import { capabilitiesByLabel } from "../schema/capabilities-by-label.ts";
import type { Capability } from "../schema/capability.ts";
import type { Entity } from "../schema/entity.ts";
import { tokenize } from "./tokenize.ts";

/** Weight of the fields of a document, in the order of their texts (TEACH-37). */
export const FIELD_WEIGHTS = [4, 3, 2, 1.5, 0.5] as const;

/** One (api, entity) as the index knows it: how often each term stands in each weighted field. */
export interface EntityDocument {
  readonly api: string;
  readonly entity: Entity;
  /** the capabilities the caller may use, by label */
  readonly capabilities: readonly Capability[];
  readonly fields: readonly TermCounts[];
}

export interface TermCounts {
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
}

/** The documents of a catalog for a caller who may use these capabilities; abstract entities have none. */
export function entityDocuments(
  catalog: Catalog,
  isUsable: (capability: Capability) => boolean,
): readonly EntityDocument[] {
  const { cgs, entryId } = catalog;
  const api = [entryId, cgs.label, ...cgs.tags, ...cgs.registryAliases];
  return [...cgs.entities.values()].flatMap((entity) => {
    const capabilities = capabilitiesByLabel(cgs, entity.name).filter(isUsable);
    if (entity.abstract || capabilities.length === 0) return [];
    const fields = textsOf(entity, capabilities, api).map(termCounts);
    return [{ api: entryId, entity, capabilities, fields }];
  });
}

/** The texts of a document by weight: 4, 3, 2, 1.5, 0.5 (TEACH-37). */
function textsOf(
  entity: Entity,
  capabilities: readonly Capability[],
  api: readonly string[],
): readonly (readonly string[])[] {
  const relations = [...entity.relations.values()];
  return [
    [entity.name, ...entity.discoveryNames],
    [...api, ...entity.aliases],
    capabilities.flatMap((each) => [each.label, ...each.operationTerms, ...each.targetTerms]),
    [
      entity.description,
      ...entity.qualifierNames,
      ...relations.flatMap((each) => [each.name, ...each.qualifierTerms, each.description]),
      ...capabilities.map((each) => each.description),
    ],
    [...entity.fields.keys()],
  ];
}

function termCounts(texts: readonly string[]): TermCounts {
  const counts = new Map<string, number>();
  let length = 0;
  for (const term of texts.flatMap(tokenize)) {
    counts.set(term, (counts.get(term) ?? 0) + 1);
    length += 1;
  }
  return { counts, length };
}
