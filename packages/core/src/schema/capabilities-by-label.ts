import { compareCodePoints } from "../text/compare-code-points.ts";
import type { Capability } from "./capability.ts";
import type { Cgs } from "./cgs.ts";

const byCgs = new WeakMap<Cgs, ReadonlyMap<string, readonly Capability[]>>();

/** The capabilities of an entity in the order of their labels (TEACH-5); indexed once per graph. */
export function capabilitiesByLabel(cgs: Cgs, entity: string): readonly Capability[] {
  let index = byCgs.get(cgs);
  if (index === undefined) {
    index = indexed(cgs);
    byCgs.set(cgs, index);
  }
  return index.get(entity) ?? [];
}

function indexed(cgs: Cgs): ReadonlyMap<string, readonly Capability[]> {
  const index = new Map<string, Capability[]>();
  const sorted = [...cgs.capabilities.values()].toSorted((a, b) =>
    compareCodePoints(a.label, b.label),
  );
  for (const capability of sorted) {
    const own = index.get(capability.entity);
    if (own === undefined) index.set(capability.entity, [capability]);
    else own.push(capability);
  }
  return index;
}
