import type { Entity, Json, JsonObject } from "@plasm/core";
import { compoundKeyText, keyParts, keyText } from "@plasm/core/internal";

/** The identity of a row: its key parts in the entity's order, and its text form (RUN-046). */
export interface Identity {
  /** key part → scalar; the id_field alone for a simple key */
  readonly key: JsonObject;
  /** `Entity:id` or `Entity:k=v,k2=v2` */
  readonly text: string;
}

/** What a reference cell or a one-relation of a row points at. */
export interface Reference {
  readonly identity: Identity;
  /** the fields that came with the reference, if it was an object */
  readonly embedded: EntityRow | null;
}

/**
 * One decoded row of an entity. A field that is absent from `fields` is unknown; null is null
 * (RUN-035). Fields may become known later by hydration; known ones never change, so that results
 * do not depend on which step asked first (RUN-002).
 */
export interface EntityRow {
  readonly entryId: string;
  readonly entity: string;
  readonly identity: Identity | null;
  /** key parts, scope arguments, path variables and anchor of the row's request (RUN-044) */
  readonly ambient: JsonObject;
  readonly fields: Map<string, Json>;
  /** entity_ref fields and one-relations whose reference is known; null is a null reference */
  references: ReadonlyMap<string, Reference | null>;
  /** rows of `from_parent_get` relations that a response held (RUN-037) */
  edges: ReadonlyMap<string, readonly EntityRow[]>;
  /** gets whose answer is part of this row: they need not be asked again */
  loadedBy: ReadonlySet<string>;
  /** the row as it came, or null when it was restored from a cursor */
  readonly wire: Json;
}

/** What most rows have none of: they share these, since an empty map is as large as a row. */
export const NO_REFERENCES: EntityRow["references"] = new Map();
export const NO_EDGES: EntityRow["edges"] = new Map();
export const NO_GETS: EntityRow["loadedBy"] = new Set();

/** Whether a field, one-relation or embedded relation of a row is known, null included (RUN-035). */
export function isKnown(row: EntityRow, name: string): boolean {
  return row.fields.has(name) || row.references.has(name) || row.edges.has(name);
}

/** Fills what a row does not know from another of the same identity; known values stay (RUN-002). */
export function fillUnknown(row: EntityRow, from: EntityRow): void {
  for (const [name, value] of from.fields) if (!row.fields.has(name)) row.fields.set(name, value);
  row.references = joined(row.references, from.references);
  row.edges = joined(row.edges, from.edges);
  if (from.loadedBy.size > 0) row.loadedBy = new Set([...row.loadedBy, ...from.loadedBy]);
}

/** The entries of a map, then those of another under names that it does not have. */
function joined<Value>(
  own: ReadonlyMap<string, Value>,
  others: ReadonlyMap<string, Value>,
): ReadonlyMap<string, Value> {
  const news = [...others].filter(([name]) => !own.has(name));
  return news.length === 0 ? own : new Map([...own, ...news]);
}

/** Notes that a get's answer is part of a row. */
export function noteLoaded(row: EntityRow, get: string): void {
  row.loadedBy = new Set(row.loadedBy).add(get);
}

/** An identity from its key parts; null unless every part has a value that is not null. */
export function makeIdentity(
  entity: Entity,
  parts: Readonly<Record<string, Json | undefined>>,
): Identity | null {
  if (!entity.hasKey) return null;
  const key: Record<string, Json> = {};
  const names = keyParts(entity);
  for (const name of names) {
    const value = Object.hasOwn(parts, name) ? parts[name] : undefined;
    if (value === undefined || value === null || value === "") return null;
    key[name] = value;
  }
  const text = names.length > 1 ? compoundKeyText(names, key) : keyText(key);
  return Object.freeze({ key, text: `${entity.name}:${text}` });
}

/** The value that `id` is bound to: the simple key, or `k=v,…` in key_vars order (RUN-011). */
export function idValue(identity: Identity): Json {
  const entries = Object.entries(identity.key);
  const [first] = entries;
  if (entries.length === 1 && first !== undefined) return first[1];
  return entries.map(([name, value]) => `${name}=${keyText(value)}`).join(",");
}
