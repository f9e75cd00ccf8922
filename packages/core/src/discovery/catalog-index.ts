import type { Catalog } from "../mapping/catalog.ts";
import type { Capability } from "../schema/capability.ts";
import { entityDocuments, FIELD_WEIGHTS, type EntityDocument } from "./entity-document.ts";
import { knownWord, type KnownWord } from "./near-words.ts";

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
export function catalogIndex(
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
