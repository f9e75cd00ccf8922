import type { EntityKey } from "../federation/entity-key.ts";
import { entityId } from "../federation/entity-of.ts";
import type { NameUse, Place } from "./row.ts";
import type { TypeRef } from "./type-text.ts";

/** All types that one name has at one place; more than one where variants differ. */
export interface PlacedName {
  readonly name: string;
  readonly place: Place;
  readonly types: readonly TypeRef[];
  readonly description: string;
}

/** A place as text that no other place has. */
function placeId(place: Place): string {
  if (place.kind !== "argument") return `${entityId(place.entity)}\u0000${place.kind}`;
  const { method } = place;
  return `${entityId(method)}\u0000argument\u0000${method.label}`;
}

/** A name at a place as text that nothing else has. */
export function placedId(place: Place, name: string): string {
  return `${placeId(place)}\u0000${name}`;
}

/** The entity a place belongs to. */
export function placeEntity(place: Place): EntityKey {
  return place.kind === "argument" ? place.method : place.entity;
}

const ORDER: readonly Place["kind"][] = ["field", "condition", "argument"];

/**
 * The uses of one entity's rows, one per name and place: fields first, then conditions, then arguments
 * in row order. `keyOf` tells types apart.
 */
export function placedNames(
  entryId: string,
  uses: readonly NameUse[],
  keyOf: (type: TypeRef) => string,
): readonly PlacedName[] {
  const found = new Map<
    string,
    { name: string; place: Place; types: TypeRef[]; description: string }
  >();
  for (const kind of ORDER) {
    for (const { place, name, input, description } of uses) {
      if (place.kind !== kind) continue;
      const id = placedId(place, name);
      const type = { entryId, input };
      const known = found.get(id);
      if (known === undefined) found.set(id, { name, place, types: [type], description });
      else if (!known.types.some((other) => keyOf(other) === keyOf(type))) known.types.push(type);
    }
  }
  return [...found.values()];
}
