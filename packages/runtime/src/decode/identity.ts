import { type Entity, type Json, type JsonObject, keyParts, keyText } from "@plasm/core";
import type { Identity } from "./entity-row.ts";

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
  return entries.map(([name, value]) => `${name}=${keyText(value)}`).join(",");
}
