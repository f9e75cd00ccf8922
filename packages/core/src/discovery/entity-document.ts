import type { Catalog } from "../mapping/catalog.ts";
import { capabilitiesByLabel } from "../schema/capabilities-by-label.ts";
import type { Capability } from "../schema/capability.ts";
import type { Entity } from "../schema/entity.ts";
import { STOP_TERMS } from "./stop-words.ts";
import { tokenize } from "./tokenize.ts";

/** Weight of the fields of a document, in the order of their texts (TEACH-37). */
export const FIELD_WEIGHTS = [4, 3, 2, 1.5, 0.5] as const;

/** One (api, entity) as the index knows it. */
export interface EntityDocument {
  readonly api: string;
  readonly entity: Entity;
  /** the capabilities the caller may use, by label */
  readonly capabilities: readonly Capability[];
  /** the terms of each weighted field, in the order of `FIELD_WEIGHTS` */
  readonly fields: readonly (readonly string[])[];
  /** the terms of its name, and of each discovery name */
  readonly names: readonly (readonly string[])[];
  /** terms that were chosen for finding it, and how well each tells what it is */
  readonly chosen: ReadonlyMap<string, number>;
}

/**
 * How well a term tells what a thing is: as its own name, as another, as a word it goes with, as a word
 * for what it does.
 */
const OWN_NAME = 1.5;
export const NAMING = 1;
const QUALIFYING = 0.85;
export const DOING = 0.7;

/** The documents of a catalog for a caller who may use these capabilities; abstract entities have none. */
export function entityDocuments(
  catalog: Catalog,
  isUsable: (capability: Capability) => boolean,
): readonly EntityDocument[] {
  const { cgs, entryId } = catalog;
  const api = [entryId, cgs.label, ...cgs.tags, ...cgs.registryAliases].flatMap(tokenize);
  return [...cgs.entities.values()].flatMap((entity) => {
    const capabilities = capabilitiesByLabel(cgs, entity.name).filter(isUsable);
    if (entity.abstract || capabilities.length === 0) return [];
    return [documentOf(entryId, entity, capabilities, api)];
  });
}

function documentOf(
  api: string,
  entity: Entity,
  capabilities: readonly Capability[],
  apiTerms: readonly string[],
): EntityDocument {
  const relations = [...entity.relations.values()];
  const own = tokenize(entity.name);
  const names = [own, ...entity.discoveryNames.map(tokenize)];
  const doing = [
    ...capabilities.flatMap(({ label }) => told(label)),
    ...capabilities
      .flatMap((each) => [...each.operationTerms, ...each.targetTerms])
      .flatMap(tokenize),
  ];
  const qualifiers = [
    ...entity.qualifierNames,
    ...relations.flatMap((each) => each.qualifierTerms),
  ].flatMap(tokenize);
  const related = relations.flatMap(({ name }) => told(name));
  const described = [entity, ...relations, ...capabilities].flatMap(({ description }) =>
    told(description),
  );
  const fields = [
    names.flat(),
    [...apiTerms, ...entity.aliases.flatMap(tokenize)],
    doing,
    [...qualifiers, ...related, ...described],
    [...entity.fields.keys()].flatMap(told),
  ];
  const chosen = new Map<string, number>([
    ...[...doing, ...related].map((term) => [term, DOING] as const),
    ...qualifiers.map((term) => [term, QUALIFYING] as const),
    ...[...names.flat(), ...apiTerms].map((term) => [term, NAMING] as const),
    ...(own.length === 1 ? own : []).map((term) => [term, OWN_NAME] as const),
  ]);
  return { api, entity, capabilities, fields, names, chosen };
}

/** The terms of a text that was not written to be searched: without words that say nothing. */
function told(text: string): readonly string[] {
  return tokenize(text).filter((term) => !STOP_TERMS.has(term));
}
