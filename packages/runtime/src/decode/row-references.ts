import { type Entity, type Json, type JsonObject, keyParts } from "@plasm/core";
import { type DecodeContext, entityOf, type RowOrigin } from "./decode-context.ts";
import type { EntityRow, Reference } from "./entity-row.ts";
import { makeIdentity } from "./identity.ts";
import { isArray, isObject, isScalar } from "../json-kinds.ts";
import { idOf, rowIdentity } from "./row-identity.ts";

/** Decodes a row that is part of another; passed in, since rows and references nest. */
export type DecodeRow = (context: DecodeContext, wire: Json, origin: RowOrigin) => EntityRow;

/** The value that a reference cell shows: the simple key, or the object of key parts. */
export function referenceCell(reference: Reference | null): Json {
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
  const entity = entityOf(context, target);
  return value.map((item) => {
    if (!isObject(item)) return item;
    const found = readReference(context, decode, item, entity, origin, origin.ambient);
    return found === undefined ? item : referenceCell(found);
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
export function referenceOf(
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
