import { type Entity, type Json, type JsonObject, keyParts } from "@plasm/core";
import type { Identity } from "./entity-row.ts";
import { isObject, isScalar } from "../json-kinds.ts";

const escapePart = (text: string): string =>
  /[%,=]/.test(text) ? text.replace(/[%,=]/g, (character) => encodeURIComponent(character)) : text;

/** A key part as text: scalars as they print, the key of a compound reference nested. */
function partText(value: Json): string {
  if (!isObject(value)) return isScalar(value) ? String(value) : JSON.stringify(value);
  return pairsText(value);
}

function pairsText(key: JsonObject): string {
  return Object.keys(key)
    .sort()
    .map((name) => `${escapePart(name)}=${escapePart(partText(key[name] ?? null))}`)
    .join(",");
}

/** The key without the entity: the id, or sorted `k=v` pairs (RUN-046). */
export function keyText(key: JsonObject): string {
  const values = Object.values(key);
  const [only] = values;
  return values.length === 1 && only !== undefined ? partText(only) : pairsText(key);
}

const identityOf = (entity: Entity, key: JsonObject): Identity =>
  Object.freeze({ key, text: `${entity.name}:${keyText(key)}` });

/** An identity from its key parts; null unless every part has a value that is not null. */
export function makeIdentity(
  entity: Entity,
  parts: Readonly<Record<string, Json | undefined>>,
): Identity | null {
  const key: Record<string, Json> = {};
  for (const name of keyParts(entity)) {
    const value = Object.hasOwn(parts, name) ? parts[name] : undefined;
    if (value === undefined || value === null || value === "") return null;
    key[name] = value;
  }
  return identityOf(entity, key);
}

/** The value that `id` is bound to: the simple key, or `k=v,…` in key_vars order (RUN-011). */
export function idValue(identity: Identity): Json {
  const entries = Object.entries(identity.key);
  const [first] = entries;
  if (entries.length === 1 && first !== undefined) return first[1];
  return entries.map(([name, value]) => `${name}=${partText(value)}`).join(",");
}
