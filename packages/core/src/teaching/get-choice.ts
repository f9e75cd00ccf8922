import type { Catalog } from "../mapping/catalog.ts";
import { capabilitySlots } from "../mapping/capability-slots.ts";
import type { Capability } from "../schema/capability.ts";
import type { Entity } from "../schema/entity.ts";
import { providedFields } from "../schema/provided-fields.ts";

/** Whether a get needs nothing but the key of its row. */
export function isByKey(catalog: Catalog, get: Capability): boolean {
  if (get.kind !== "get" || !get.needsIdentity) return false;
  const { slots, union } = capabilitySlots(catalog, get);
  return union === null && slots.every((slot) => !slot.required);
}

/**
 * The get that `E(key)` is among those that the key alone satisfies, for the fields wanted: the
 * widest cover, then `primary_read`, then `<entity>_get`, then the first name (RUN-042).
 */
export function chosenGet(
  { cgs }: Catalog,
  entity: Entity,
  gets: readonly Capability[],
  wanted: readonly string[],
): Capability | null {
  const rank = (get: Capability): readonly number[] => {
    const filled = new Set(providedFields(cgs, get));
    return [
      wanted.filter((field) => filled.has(field)).length,
      get.name === entity.primaryRead ? 1 : 0,
      get.name === `${entity.name.toLowerCase()}_get` ? 1 : 0,
    ];
  };
  return gets.reduce<Capability | null>((best, get) => {
    if (best === null) return get;
    const order = compare(rank(get), rank(best)) || (get.name < best.name ? 1 : -1);
    return order > 0 ? get : best;
  }, null);
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [at, value] of a.entries()) {
    const other = b[at] ?? 0;
    if (value !== other) return value - other;
  }
  return 0;
}
