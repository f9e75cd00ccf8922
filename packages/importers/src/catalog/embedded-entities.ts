import { type RecordShape, schemaName, shapeOf } from "../document/schema-shape.ts";
import { type DocumentObject, memberOf, textOf } from "../json.ts";
import { clauseBeside } from "../names/clause.ts";
import { singular } from "../names/singular.ts";
import { wordsOf } from "../names/words.ts";
import type { EntityDraft } from "./entity-draft.ts";
import { entityName } from "./entity-names.ts";

/** What entities of rows that stand in others are made with. */
interface EmbeddedScene {
  /** names that are taken, in small letters */
  readonly names: Set<string>;
  /** Whether rows of this schema are known under a key of their own. */
  readonly isKnown: (schema: DocumentObject) => boolean;
}

/** What tells schemas apart: their name in the document, else themselves. */
type SchemaKey = string | DocumentObject;

const keyOf = (schema: DocumentObject): SchemaKey => schemaName(schema) ?? schema;

/** Entities of rows that stand in others and nowhere else, by their schema (ADR 0222). */
export interface EmbeddedEntities {
  readonly all: readonly EntityDraft[];
  readonly ofSchema: (schema: DocumentObject) => EntityDraft | undefined;
}

/** What a list holds, if that are objects with at least one column. */
function rowsIn(property: DocumentObject): readonly [DocumentObject, RecordShape] | null {
  const shape = shapeOf(property);
  if (shape.kind !== "list" || shape.items === null) return null;
  const record = shapeOf(shape.items);
  if (record.kind !== "record") return null;
  const hasColumn = [...record.properties].some(([name, one]) =>
    ["scalar", "options"].includes(shapeOf(one, name).kind),
  );
  return hasColumn ? [shape.items, record] : null;
}

/** So many words more than where rows stand are not those of a thing. */
const MANY = 3;

/**
 * Finds the lists of objects that rows hold of which nothing else is known. Only rows with a key of their own can be
 * followed to what they hold; in others, and within what is held, such a list stays JSON.
 */
export function embeddedEntities(
  holders: readonly EntityDraft[],
  { names, isKnown }: EmbeddedScene,
): EmbeddedEntities {
  const found = new Map<SchemaKey, EntityDraft>();
  const add = (holder: EntityDraft, property: string, schema: DocumentObject): void => {
    const rows = rowsIn(schema);
    if (rows === null || isKnown(rows[0])) return;
    const [items, record] = rows;
    const known = found.get(keyOf(items));
    if (known !== undefined) {
      known.heldBy?.add(holder);
      if (!known.records.includes(record)) known.records.push(record);
      return;
    }
    const own = `${holder.name} ${wordsOf(property).map(singular).join(" ")}`;
    const named = schemaName(items);
    const said = named === undefined ? own : entityName(named, { segments: [] }, new Set());
    // A schema's name may have those of its program before it; what the rows stand in says more.
    const first = wordsOf(said).length >= wordsOf(own).length + MANY ? own : said;
    const name = entityName(names.has(first.toLowerCase()) ? own : first, { segments: [] }, names);
    names.add(name.toLowerCase());
    found.set(keyOf(items), {
      name,
      snake: wordsOf(name).join("_"),
      key: [],
      home: null,
      implicit: false,
      description: clauseBeside(textOf(memberOf(items, "description")), name, named ?? ""),
      families: new Set(),
      records: [record],
      heldBy: new Set([holder]),
    });
  };
  for (const holder of holders) {
    if (holder.implicit || holder.key.length === 0) continue;
    for (const { properties } of holder.records)
      for (const [property, schema] of properties)
        if (memberOf(schema, "writeOnly") !== true) add(holder, property, schema);
  }
  return { all: [...found.values()], ofSchema: (schema) => found.get(keyOf(schema)) };
}
