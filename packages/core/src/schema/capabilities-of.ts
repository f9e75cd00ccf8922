import { compareCodePoints } from "../text/compare-code-points.ts";
import type { Capability } from "./capability.ts";
import type { Cgs } from "./cgs.ts";

const byCgs = new WeakMap<Cgs, ReadonlyMap<string, readonly Capability[]>>();

/** The capabilities of an entity, ordered by label (TEACH-2, TEACH-5). */
export function capabilitiesOf(cgs: Cgs, entity: string): readonly Capability[] {
  let index = byCgs.get(cgs);
  if (index === undefined) {
    index = indexed(cgs);
    byCgs.set(cgs, index);
  }
  return index.get(entity) ?? [];
}

/** The capability of an entity under a label; labels are unique per entity (CAT-071). */
export function capabilityByLabel(cgs: Cgs, entity: string, label: string): Capability | undefined {
  return capabilitiesOf(cgs, entity).find((capability) => capability.label === label);
}

function indexed(cgs: Cgs): ReadonlyMap<string, readonly Capability[]> {
  const sorted = [...cgs.capabilities.values()].toSorted((a, b) =>
    compareCodePoints(a.label, b.label),
  );
  const index = new Map<string, Capability[]>();
  for (const capability of sorted) {
    const own = index.get(capability.entity);
    if (own === undefined) index.set(capability.entity, [capability]);
    else own.push(capability);
  }
  return index;
}
