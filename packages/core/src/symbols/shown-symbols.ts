import { catalogOf } from "../federation/entity-of.ts";
import type { EntityKey } from "../federation/entity-key.ts";
import { mayCall } from "../policy/may-use.ts";
import type { Capability } from "../schema/capability.ts";
import { capabilitiesByLabel } from "../schema/capabilities-by-label.ts";
import type { Exposure } from "./exposure.ts";
import type { MethodKey } from "./symbol-map.ts";
import { taughtNames } from "./taught-names.ts";

/** The symbols of a session with null in place of those that policy hides (TEACH-8). */
export interface ShownSymbols {
  readonly entities: readonly EntityKey[];
  readonly methods: readonly (MethodKey | null)[];
  readonly names: readonly (string | null)[];
}

/**
 * The symbols that may be told of: numbers stay, but a capability that policy hides and that was never
 * taught has no label here, nor have names that only such ones use (TEACH-8, SURF-26). `untaught` are those
 * that no wave taught for policy's sake, as `entry_id/capability`.
 */
export function shownSymbols(
  { catalogs, symbols, policy }: Exposure,
  untaught: ReadonlySet<string>,
): ShownSymbols {
  const isShown = (entryId: string, capability: Capability): boolean =>
    mayCall(policy, catalogOf(catalogs, entryId), capability) ||
    !untaught.has(`${entryId}/${capability.name}`);
  const { entities } = symbols;
  const names = new Set<string>();
  for (const { entryId, entity } of entities) {
    const shown = (capability: Capability): boolean => isShown(entryId, capability);
    for (const name of taughtNames(catalogOf(catalogs, entryId), entity, shown)) names.add(name);
  }
  const methods = symbols.methods.map((key) => {
    const { cgs } = catalogOf(catalogs, key.entryId);
    const found = capabilitiesByLabel(cgs, key.entity).find(({ label }) => label === key.label);
    return found !== undefined && isShown(key.entryId, found) ? key : null;
  });
  return { entities, methods, names: symbols.names.map((name) => (names.has(name) ? name : null)) };
}
