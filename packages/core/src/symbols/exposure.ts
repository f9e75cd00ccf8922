import {
  catalogOf,
  type CatalogSet,
  type EntityKey,
  resolveEntity,
} from "../catalog/federation.ts";
import type { Policy } from "../policy/policy.ts";
import { type MethodKey, type SymbolMap, taughtNames } from "./symbols.ts";
import type { WaveEntry } from "./waves.ts";
import { mayCall } from "../policy/may-use.ts";
import type { Capability } from "../model/model.ts";
import { capabilitiesByLabel } from "../model/lookups.ts";

/** How a session writes names in tables and plans: as symbols (`e1`, `p7`) or as they are. */
export type Notation = "symbols" | "names";

/** Everything a program is read against: catalogs, wave log, its fold, and policy (PLAN-001). */
export interface Exposure {
  readonly catalogs: CatalogSet;
  readonly log: readonly WaveEntry[];
  readonly symbols: SymbolMap;
  readonly notation: Notation;
  readonly policy: Policy;
  /** the session refuses what changes data, whatever policy allows (TEACH-25) */
  readonly readOnly?: boolean;
}

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

/**
 * The entities a name of a program may mean. In the notation `names` a table taught the first one by
 * its name and writes every later one as its symbol (TEACH-26), so the name goes on to mean the first:
 * what was taught never changes. In symbols a name that two catalogs share is ambiguous (TEACH-10).
 */
export function entitiesNamed(
  { catalogs, symbols, notation }: Pick<Exposure, "catalogs" | "symbols" | "notation">,
  name: string,
): readonly EntityKey[] {
  const keys = resolveEntity(catalogs, symbols.entities, name);
  return notation === "names" ? keys.slice(0, 1) : keys;
}
