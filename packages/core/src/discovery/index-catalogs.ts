import type { Catalog } from "../mapping/template.ts";
import type { ValueType } from "../values/value-type.ts";
import { slotsOf } from "../model/slots-of.ts";
import type { Capability, Entity, Relation } from "../model/model.ts";
import { knownWord, type KnownWord, tokenize } from "./words.ts";
import { canRun, mayCall } from "../policy/may-use.ts";
import type { Features, Policy } from "../policy/policy.ts";
import { capabilitiesByLabel } from "../model/lookups.ts";
import { STOP_TERMS } from "./stop-words.ts";
import { clip, visible } from "../base/text.ts";

/** How often a term stands in each field of one document. */
export interface Posting {
  readonly document: EntityDocument;
  readonly counts: readonly number[];
}

/** What a caller can find of one catalog, by term. */
export interface CatalogIndex {
  readonly documents: readonly EntityDocument[];
  readonly postings: ReadonlyMap<string, readonly Posting[]>;
  /** how many terms each field has, over all documents */
  readonly lengths: readonly number[];
  /** what it was told to be found by: a misspelt word may mean one of these */
  readonly vocabulary: readonly KnownWord[];
  /** names of several words, joined by spaces */
  readonly phrases: ReadonlySet<string>;
}

/** Indexes a catalog for a caller who may use these capabilities (TEACH-37). */
function catalogIndex(
  catalog: Catalog,
  isUsable: (capability: Capability) => boolean,
): CatalogIndex {
  const documents = entityDocuments(catalog, isUsable);
  const postings = new Map<string, Posting[]>();
  for (const document of documents) {
    for (const [term, counts] of countsOf(document)) {
      const found = postings.get(term) ?? [];
      found.push({ document, counts });
      postings.set(term, found);
    }
  }
  const lengths = FIELD_WEIGHTS.map((_, field) =>
    documents.reduce((sum, { fields }) => sum + (fields[field]?.length ?? 0), 0),
  );
  const chosen = new Set(documents.flatMap((document) => [...document.chosen.keys()]));
  const names = documents.flatMap((document) => document.names);
  const phrases = names.filter(({ length }) => length > 1).map((name) => name.join(" "));
  const vocabulary = [...chosen].map(knownWord);
  return { documents, postings, lengths, vocabulary, phrases: new Set(phrases) };
}

function countsOf({ fields }: EntityDocument): ReadonlyMap<string, readonly number[]> {
  const counts = new Map<string, number[]>();
  for (const [field, terms] of fields.entries()) {
    for (const term of terms) {
      const count = counts.get(term) ?? FIELD_WEIGHTS.map(() => 0);
      count[field] = (count[field] ?? 0) + 1;
      counts.set(term, count);
    }
  }
  return counts;
}

/** How many views of one catalog are kept: callers differ in what they may use. */
const MOST_VIEWS = 16;

const views = new WeakMap<Catalog, Map<string, CatalogIndex>>();

/**
 * The index of a catalog as a caller sees it: only capabilities that policy permits and the engine runs
 * leave any trace (TEACH-36). A catalog is frozen, so each view of it is indexed once.
 */
export function discoveryIndex(catalog: Catalog, policy: Policy, features: Features): CatalogIndex {
  const isUsable = (capability: Capability): boolean =>
    mayCall(policy, catalog, capability) && canRun(features, catalog, capability);
  const hidden = [...catalog.cgs.capabilities.values()].filter((each) => !isUsable(each));
  const view = hidden.map(({ name }) => name).join(" ");
  const known = views.get(catalog) ?? new Map<string, CatalogIndex>();
  const found = known.get(view);
  if (found !== undefined) return found;
  const index = catalogIndex(catalog, isUsable);
  if (known.size >= MOST_VIEWS) known.clear();
  known.set(view, index);
  views.set(catalog, known);
  return index;
}

/** Weight of the fields of a document, in the order of their texts (TEACH-37). */
export const FIELD_WEIGHTS = [1, 0.4, 1, 0.9, 0.8, 0.6] as const;

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
const NAMING = 1;
const QUALIFYING = 0.85;
const DOING = 0.7;

/** The documents of a catalog for a caller who may use these capabilities; abstract entities have none. */
function entityDocuments(
  catalog: Catalog,
  isUsable: (capability: Capability) => boolean,
): readonly EntityDocument[] {
  const { cgs, entryId } = catalog;
  const api = [entryId, cgs.label, ...cgs.tags, ...cgs.registryAliases].flatMap(tokenize);
  return [...cgs.entities.values()].flatMap((entity) => {
    const capabilities = capabilitiesByLabel(cgs, entity.name).filter(isUsable);
    if (entity.abstract || capabilities.length === 0) return [];
    return [documentOf(entryId, entity, relationsBeyond(cgs, entity), capabilities, api)];
  });
}

/** The relations that lead to something of its own: what stands in the row itself is told by its column. */
const relationsBeyond = (cgs: Catalog["cgs"], entity: Entity): readonly Relation[] =>
  [...entity.relations.values()].filter(
    ({ target }) => cgs.entities.get(target)?.abstract !== true,
  );

function documentOf(
  api: string,
  entity: Entity,
  relations: readonly Relation[],
  capabilities: readonly Capability[],
  apiTerms: readonly string[],
): EntityDocument {
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
  const fieldNames = [...entity.fields.keys()];
  const slots = capabilities.flatMap(slotsOf);
  const values = [...entity.fields.values()].flatMap(({ type }) => wordsOfType(type));
  const fields = [
    names.flat(),
    [...apiTerms, ...entity.aliases.flatMap(tokenize)],
    doing,
    [...qualifiers, ...related, ...described],
    [...fieldNames, ...slots.map(({ name }) => name), ...values].flatMap(told),
    // What JSON has in it, `{city, street}`, is not what the entity is about.
    [...entity.fields.values(), ...slots].flatMap(({ description }) =>
      told(description.replace(/\{[^{}]*\}$/, "")),
    ),
  ];
  const chosen = new Map<string, number>([
    ...[...doing, ...related].map((term) => [term, DOING] as const),
    ...qualifiers.map((term) => [term, QUALIFYING] as const),
    ...[...names.flat(), ...apiTerms].map((term) => [term, NAMING] as const),
    ...(own.length === 1 ? own : []).map((term) => [term, OWN_NAME] as const),
  ]);
  return { api, entity, capabilities, fields, names, chosen };
}

const MOST_OPTIONS = 40;

/** The values that a type lists, and the entity that it refers to: `the open ones`, `of whom`. */
function wordsOfType(type: ValueType): readonly string[] {
  if (type.kind === "array") return wordsOfType(type.items);
  if (type.kind === "entity_ref") return [type.target];
  const isListed = type.kind === "select" || type.kind === "multi_select";
  return isListed ? type.options.slice(0, MOST_OPTIONS) : [];
}

/** The terms of a text that was not written to be searched: without words that say nothing. */
function told(text: string): readonly string[] {
  return tokenize(text).filter((term) => !STOP_TERMS.has(term));
}

/** Code points of a name that a caller gave, as a message repeats it. */
const LONGEST_SHOWN = 240;

/** A name that a caller gave, as a message repeats it: on one line, without signs that act, cut where it is long. */
export const shownName = (name: string): string => visible(clip(name, LONGEST_SHOWN));

/** So many names a message lists. */
export const MOST_LISTED = 20;

/** At most 20 names and how many more there are: `depot, orchard, +3` (TEACH-39). */
export function listNames(names: readonly string[]): string {
  const left = names.length - MOST_LISTED;
  return [...names.slice(0, MOST_LISTED), ...(left > 0 ? [`+${left}`] : [])].join(", ");
}
