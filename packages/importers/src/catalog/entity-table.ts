import type { AnswerRows } from "../document/answer.ts";
import type { Operation } from "../document/operation.ts";
import { type RecordShape, schemaName } from "../document/schema-shape.ts";
import { memberOf, textOf } from "../json.ts";
import { clauseBeside } from "../names/clause.ts";
import { wordsOf } from "../names/words.ts";
import type { EntityDraft, KeyPart } from "./entity-draft.ts";
import { sameForm, saysKey, saysKeyPart } from "./entity-keys.ts";
import { entityName, familyOf, pathWords } from "./entity-names.ts";
import type { FamilyName } from "./own-forms.ts";

/** The entities of a document as they are found, by what leads to them. */
export interface Table {
  readonly homes: Map<string, EntityDraft>;
  readonly collections: Map<string, EntityDraft>;
  readonly names: Set<string>;
  /** entities that stand for what effects without variables are about */
  readonly themes: Map<string, EntityDraft>;
  /** the same by the path of the effect */
  readonly places: Map<string, EntityDraft>;
  /** entities whose key a path names that leads to nothing which is read: `/speech/{voice_id}` */
  readonly named: Map<string, EntityDraft>;
  /** by the name of a schema, and by what forms of it have in common */
  readonly families: Map<string, EntityDraft[]>;
  readonly familyName: FamilyName;
}

/** What forms of one thing are called together, of the schema of rows. */
export const familyKey = ({ familyName }: Table, { schema }: AnswerRows): string | undefined => {
  const name = schemaName(schema);
  return name === undefined ? undefined : familyName(name);
};

/** The name of the schema of rows; of one that the document tells apart by a word of its own, without it. */
const nameOf = ({ familyName }: Table, { schema }: AnswerRows): string | undefined => {
  const name = schemaName(schema);
  if (name === undefined) return undefined;
  const family = familyName(name);
  return family === familyOf(name).join(" ") ? name : family;
};

const descriptionOf = ({ schema }: AnswerRows, name: string): string =>
  clauseBeside(
    textOf(memberOf(schema, "description")),
    name,
    schemaName(schema) ?? "",
    "full minimal simple",
  );

/** Whether rows of another place are rows of an entity: they say its key, in the same words. */
export function isRowOf(entity: EntityDraft, rows: AnswerRows, operation: Operation): boolean {
  const [first] = entity.key;
  const own = entity.key.at(-1);
  if (entity.implicit || first === undefined || own === undefined) return false;
  if (!saysKey(entity, rows.record)) return false;
  if (entity.key.length === 1) return true;
  const others = entity.key.slice(0, -1);
  if (others.every((part) => saysKeyPart(part, rows.record))) return true;
  // The other parts of the key are those of the address, so it has to be the same one.
  const home = entity.home ?? "";
  const scope = home.slice(0, home.lastIndexOf("/{}", home.length - 4) + 3);
  const { template } = operation;
  return template === home || template === scope || template.startsWith(`${scope}/`);
}

export function note(table: Table, rows: AnswerRows, entity: EntityDraft): void {
  const family = familyKey(table, rows);
  if (family !== undefined) {
    entity.families.add(family).add(familyOf(schemaName(rows.schema) ?? "").join(" "));
    const all = table.families.get(family) ?? [];
    if (!all.includes(entity)) table.families.set(family, [...all, entity]);
  }
  if (!entity.records.includes(rows.record)) entity.records.push(rows.record);
}

/** Whether all that an object has is known of an entity, in the same forms. */
const isPartOf = (record: RecordShape, { records }: EntityDraft): boolean =>
  [...record.properties].every(([name, schema]) =>
    records.some(({ properties }) => {
      const own = properties.get(name);
      return own !== undefined && sameForm(own, schema);
    }),
  );

/** Whose rows these are: by the name of their schema; without one by the path's, if they have nothing else. */
export function ofFamily(
  table: Table,
  rows: AnswerRows,
  operation: Operation,
): EntityDraft | undefined {
  const family = familyKey(table, rows);
  if (family !== undefined) {
    return table.families.get(family)?.find((entity) => isRowOf(entity, rows, operation));
  }
  const name = pathWords(operation).join("_");
  const all = [...table.homes.values(), ...table.collections.values()];
  return all.find(
    (entity) =>
      entity.snake === name && isRowOf(entity, rows, operation) && isPartOf(rows.record, entity),
  );
}

export interface NewEntity {
  readonly home: string | null;
  readonly implicit: boolean;
  readonly key: (name: string) => readonly KeyPart[];
}

export function addEntity(
  table: Table,
  operation: Operation,
  rows: AnswerRows,
  more: NewEntity,
): EntityDraft {
  const name = entityName(nameOf(table, rows), operation, table.names);
  const entity = newEntity(table, name, { ...more, description: descriptionOf(rows, name) });
  note(table, rows, entity);
  return entity;
}

export function newEntity(
  table: Table,
  name: string,
  { home, implicit, key, description }: NewEntity & { readonly description: string },
): EntityDraft {
  table.names.add(name.toLowerCase());
  const entity: EntityDraft = {
    name,
    snake: wordsOf(name).join("_"),
    key: key(name),
    home,
    implicit,
    description,
    families: new Set(),
    records: [],
  };
  if (home !== null) table.homes.set(home, entity);
  return entity;
}
