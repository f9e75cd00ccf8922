import type { Capability } from "../schema/capability.ts";
import type { Catalog } from "./catalog.ts";

/**
 * A function of a catalog and one of its capabilities that computes each answer once: both are frozen,
 * so the answer cannot change.
 */
export function oncePerCapability<T>(
  compute: (catalog: Catalog, capability: Capability) => T,
): (catalog: Catalog, capability: Capability) => T {
  const known = new WeakMap<Catalog, Map<Capability, T>>();
  return (catalog, capability) => {
    let answers = known.get(catalog);
    if (answers === undefined) {
      answers = new Map();
      known.set(catalog, answers);
    }
    const answer = answers.get(capability);
    if (answer !== undefined) return answer;
    const computed = compute(catalog, capability);
    answers.set(capability, computed);
    return computed;
  };
}
