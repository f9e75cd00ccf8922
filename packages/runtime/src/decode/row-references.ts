import type { Catalog, Entity, Field, Json, JsonObject, ValueType } from "@plasm/core";
import { keyParts } from "@plasm/core/internal";
import { type EntityRow, type Identity, makeIdentity, type Reference } from "./entity-row.ts";
import { hasMember, isArray, isObject, isScalar } from "../base/json-kinds.ts";
import { convertValue } from "./convert-value.ts";
import { followKeys } from "./response-body.ts";
import type { DiagnosticLog } from "../base/diagnostic.ts";

/** Decodes a row that is part of another; passed in, since rows and references nest. */
export type DecodeRow = (context: DecodeContext, wire: Json, origin: RowOrigin) => EntityRow;

/** The value that a reference cell shows: the simple key, or the object of key parts. */
export function referenceValue(reference: Reference | null): Json {
  if (reference === null) return null;
  const { key } = reference.identity;
  const values = Object.values(key);
  const [only] = values;
  return values.length === 1 && only !== undefined ? only : key;
}

/** What a scalar points at whose target has a key of one part: the scalar itself says it all. */
export function scalarReference(value: Json, target: Entity): Reference | undefined {
  const id = idOf(value, target);
  const identity = id === undefined ? null : makeIdentity(target, { [target.idField]: id });
  return identity === null ? undefined : { identity, embedded: null };
}

/** What a wire value under a reference's name points at (RUN-036); undefined if it does not tell. */
export function readReference(
  context: DecodeContext,
  decode: DecodeRow,
  value: Json,
  target: Entity,
  origin: RowOrigin,
  ambient: JsonObject,
): Reference | null | undefined {
  if (value === null) return null;
  const { index } = origin;
  const inner: RowOrigin = { entity: target, provides: null, ambient, requested: null, index };
  if (isObject(value)) {
    const row = decode(context, value, inner);
    return row.identity === null ? undefined : { identity: row.identity, embedded: row };
  }
  if (!isScalar(value)) return undefined;
  const identity = rowIdentity(value, new Map([[target.idField, value]]), inner);
  return identity === null ? undefined : { identity, embedded: null };
}

/** Elements that are rows of a target are narrowed to its key, like a single reference. */
export function narrowElements(
  context: DecodeContext,
  decode: DecodeRow,
  value: Json,
  target: string,
  origin: RowOrigin,
): Json {
  if (!isArray(value)) return value;
  const entity = contextEntity(context, target);
  return value.map((item) => {
    if (!isObject(item)) return item;
    const found = readReference(context, decode, item, entity, origin, origin.ambient);
    return found === undefined ? item : referenceValue(found);
  });
}

/** The reference that a cell in its shown form stands for; undefined if it is no identity. */
export function cellReference(cell: Json, target: Entity): Reference | null | undefined {
  if (cell === null) return null;
  const parts = keyParts(target);
  const [only] = parts;
  const key = isObject(cell)
    ? cell
    : parts.length === 1 && only !== undefined
      ? { [only]: cell }
      : {};
  const identity = makeIdentity(target, key);
  return identity === null ? undefined : { identity, embedded: null };
}

/**
 * What a row's entity_ref field or one-relation points at, be it a row that stands in it (RUN-037): null
 * for none, undefined while unknown.
 * A key field filled from the request has no wire value, so its cell is read instead.
 */
export function rowReference(
  row: EntityRow,
  name: string,
  target: Entity,
): Reference | null | undefined {
  const known = row.references.get(name);
  if (known !== undefined) return known;
  const edge = row.edges.get(name);
  if (edge !== undefined) {
    const [embedded] = edge;
    if (embedded === undefined) return null;
    return embedded.identity === null ? undefined : { identity: embedded.identity, embedded };
  }
  const cell = row.fields.get(name);
  return cell === undefined ? undefined : cellReference(cell, target);
}

const USUAL_ID_KEYS = ["id", "_id", "uuid", "key", "objectID"] as const;

const TEXT: ValueType = Object.freeze({ kind: "string", semantics: "short" });

/** The type of an identity's one part, for rows whose wire form differs from it (RUN-046). */
function idType(entity: Entity): ValueType {
  return entity.fields.get(entity.idField)?.type ?? TEXT;
}

/** A scalar as the one part of an entity's key; undefined where it is none. */
function idOf(value: Json | undefined, entity: Entity): Json | undefined {
  return isScalar(value) && value !== "" ? convertValue(value, idType(entity)).value : undefined;
}

/** The first scalar of the keys that APIs commonly use, where the id_field declares no path. */
function usualId(entity: Entity, idField: Field | undefined, wire: Json): Json | undefined {
  if (idField?.path !== undefined) return undefined;
  for (const key of USUAL_ID_KEYS) {
    if (!hasMember(wire, key)) continue;
    const value = idOf(wire[key], entity);
    if (value !== undefined) return value;
  }
  return undefined;
}

function simpleId(
  wire: Json,
  fields: ReadonlyMap<string, Json>,
  origin: RowOrigin,
): Json | undefined {
  const { entity } = origin;
  if (entity.idFrom !== undefined) {
    const found = followKeys(wire, entity.idFrom);
    const value = found.found ? idOf(found.value, entity) : undefined;
    if (value !== undefined) return value;
  }
  const own = idOf(fields.get(entity.idField), entity);
  if (own !== undefined) return own;
  return usualId(entity, entity.fields.get(entity.idField), wire) ?? idOf(wire, entity);
}

/**
 * The identity of a row: the request's if implicit; `id_from`; the id_field; the usual keys; a
 * scalar row itself; the request's (RUN-043). Compound: each part from the row, then ambient (RUN-045).
 */
export function rowIdentity(
  wire: Json,
  fields: ReadonlyMap<string, Json>,
  origin: RowOrigin,
): Identity | null {
  const { entity, requested, ambient } = origin;
  if (entity.implicitRequestIdentity && requested !== null) return requested;
  const parts = keyParts(entity);
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) {
    const id = simpleId(wire, fields, origin);
    return (id === undefined ? null : makeIdentity(entity, { [only]: id })) ?? requested;
  }
  const key: Record<string, Json | undefined> = {};
  for (const part of parts) {
    key[part] = fields.get(part) ?? ownMember(ambient, part) ?? requested?.key[part] ?? undefined;
  }
  return makeIdentity(entity, key) ?? requested;
}

/** What decoding the rows of one response needs besides the response. */
export interface DecodeContext {
  readonly catalog: Catalog;
  readonly log: DiagnosticLog;
}

/** What is known of a row before its wire form is read. */
export interface RowOrigin {
  readonly entity: Entity;
  /** the capability's explicit `provides`; absent for reads that list none (RUN-035) */
  readonly provides: ReadonlySet<string> | null;
  /** scope arguments, path variables and anchor of the request (RUN-044) */
  readonly ambient: JsonObject;
  /** the identity that the request named: get, update, delete, action (RUN-043) */
  readonly requested: Identity | null;
  /** what its static fields hold, where an overlay says so (RUN-103) */
  readonly statics?: JsonObject | null;
  /** what a list was asked in, by the name of the field that says so; fills what the wire lacks (RUN-044) */
  readonly scope?: JsonObject;
  /** index of the row in its response, for diagnostics */
  readonly index: number;
}

/** An entity of the context's catalog; a target that does not exist is a broken invariant. */
export function contextEntity(context: DecodeContext, name: string): Entity {
  const entity = context.catalog.cgs.entities.get(name);
  if (entity === undefined) throw new Error(`no entity ${name} in ${context.catalog.entryId}`);
  return entity;
}

/** The member of an object, its own only. */
export function ownMember(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
