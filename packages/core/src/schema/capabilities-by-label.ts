import { compareCodePoints } from "../text/compare-code-points.ts";
import type { Capability } from "./capability.ts";
import type { Cgs } from "./cgs.ts";

type Index = ReadonlyMap<string, readonly Capability[]>;

/** The capabilities of each entity of a graph, in two orders. */
interface Indexes {
  readonly declared: Index;
  readonly byLabel: Index;
}

const known = new WeakMap<Cgs, Indexes>();

/** The capabilities of an entity in the order of their labels (TEACH-5); indexed once per graph. */
export function capabilitiesByLabel(cgs: Cgs, entity: string): readonly Capability[] {
  return indexesOf(cgs).byLabel.get(entity) ?? [];
}

/** The capabilities of an entity in the order of their catalog; indexed once per graph. */
export function declaredCapabilities(cgs: Cgs, entity: string): readonly Capability[] {
  return indexesOf(cgs).declared.get(entity) ?? [];
}

function indexesOf(cgs: Cgs): Indexes {
  const found = known.get(cgs);
  if (found !== undefined) return found;
  const all = [...cgs.capabilities.values()];
  const sorted = all.toSorted((a, b) => compareCodePoints(a.label, b.label));
  const indexes = { declared: indexed(all), byLabel: indexed(sorted) };
  known.set(cgs, indexes);
  return indexes;
}

function indexed(capabilities: readonly Capability[]): Index {
  const index = new Map<string, Capability[]>();
  for (const capability of capabilities) {
    const own = index.get(capability.entity);
    if (own === undefined) index.set(capability.entity, [capability]);
    else own.push(capability);
  }
  return index;
}
