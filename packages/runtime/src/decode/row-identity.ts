import { type Entity, type Field, type Json, keyParts, type ValueType } from "@plasm/core";
import { convertValue } from "./convert-value.ts";
import { ownMember, type RowOrigin } from "./decode-context.ts";
import type { Identity } from "./entity-row.ts";
import { makeIdentity } from "./identity.ts";
import { hasMember, isScalar } from "../json-kinds.ts";
import { followKeys } from "./wire-path.ts";

const USUAL_ID_KEYS = ["id", "_id", "uuid", "key", "objectID"] as const;

const TEXT: ValueType = Object.freeze({ kind: "string", semantics: "short" });

/** The type of an identity's one part, for rows whose wire form differs from it (RUN-046). */
function idType(entity: Entity): ValueType {
  return entity.fields.get(entity.idField)?.type ?? TEXT;
}

/** A scalar as the one part of an entity's key; undefined where it is none. */
export function idOf(value: Json | undefined, entity: Entity): Json | undefined {
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
