import type { EntityKey } from "../federation/entity-key.ts";
import { entityId } from "../federation/entity-of.ts";
import type { NameUse, Place } from "./row.ts";
import type { TypeRef } from "./type-text.ts";

/** One name at one place, with the type it has there: that of its first use, if uses differ. */
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
 * The uses of one entity's rows, one per name and place: fields first, then conditions, then arguments in row
 * order. An argument is the use of its name, before members of others that are called so.
 */
export function placedNames(entryId: string, uses: readonly NameUse[]): readonly PlacedName[] {
  const found = new Map<string, PlacedName>();
  const shallow = uses.toSorted((a, b) => depth(a) - depth(b));
  for (const kind of ORDER) {
    for (const { place, name, input, description } of shallow) {
      const id = placedId(place, name);
      if (place.kind !== kind || found.has(id)) continue;
      found.set(id, { name, place, types: [{ entryId, input }], description });
    }
  }
  return [...found.values()];
}

const depth = ({ path }: NameUse): number => path.split(".").length;
