import type { CatalogSet } from "../federation/catalog-set.ts";
import { catalogOf, entityId } from "../federation/entity-of.ts";
import type { Catalog } from "../mapping/catalog.ts";
import { capabilitiesByLabel } from "../schema/capabilities-by-label.ts";
import { compareCodePoints } from "../text/compare-code-points.ts";
import type { MethodKey, SymbolMap } from "./symbol-map.ts";
import { taughtNames } from "./taught-names.ts";
import type { WaveEntry } from "./wave-entry.ts";

/** The map before the first wave. */
export const NO_SYMBOLS: SymbolMap = Object.freeze({ entities: [], methods: [], names: [] });

/**
 * The symbols of a wave log: a pure fold, the same on any machine (TEACH-4 to TEACH-6). `before` is what earlier
 * waves fold to, where `log` has those that follow alone. Throws if the content of a wave is not in `catalogs`; {@link staleWave} asks first.
 */
export function foldWaves(
  log: readonly WaveEntry[],
  catalogs: CatalogSet,
  before: SymbolMap = NO_SYMBOLS,
): SymbolMap {
  return log.length === 0 ? before : applyWaves(before, log, catalogs);
}

/** The map after one more wave: what the wave adds stands behind what was there (TEACH-4). */
export function applyWave(symbols: SymbolMap, wave: WaveEntry, catalogs: CatalogSet): SymbolMap {
  return applyWaves(symbols, [wave], catalogs);
}

function applyWaves(
  symbols: SymbolMap,
  waves: readonly WaveEntry[],
  catalogs: CatalogSet,
): SymbolMap {
  const entities = [...symbols.entities];
  const methods = [...symbols.methods];
  const names = [...symbols.names];
  const known = new Set(entities.map(entityId));
  const knownNames = new Set(names);
  for (const wave of waves) {
    const catalog = contentOf(wave, catalogs);
    const added = wave.entities
      .map((entity) => ({ entryId: wave.entryId, entity }))
      .filter((key) => !known.has(entityId(key)));
    const fresh = newNames(catalog, added, knownNames);
    entities.push(...added);
    methods.push(...methodsOf(catalog, added));
    names.push(...fresh);
    for (const key of added) known.add(entityId(key));
    for (const name of fresh) knownNames.add(name);
  }
  return Object.freeze({
    entities: Object.freeze(entities),
    methods: Object.freeze(methods),
    names: Object.freeze(names),
  });
}

/** The first wave whose pinned content `catalogs` does not hold: the session is then stale (TEACH-4). */
export function staleWave(log: readonly WaveEntry[], catalogs: CatalogSet): WaveEntry | null {
  return log.find((wave) => catalogs.get(wave.entryId)?.digest !== wave.digest) ?? null;
}

function contentOf(wave: WaveEntry, catalogs: CatalogSet): Catalog {
  const catalog = catalogOf(catalogs, wave.entryId);
  if (catalog.digest === wave.digest) return catalog;
  throw new Error(`Catalog ${wave.entryId} is not the one this wave was made of.`);
}

function methodsOf(
  catalog: Catalog,
  added: readonly { readonly entryId: string; readonly entity: string }[],
): readonly MethodKey[] {
  return added
    .toSorted((a, b) => compareCodePoints(a.entity, b.entity))
    .flatMap((key) =>
      capabilitiesByLabel(catalog.cgs, key.entity).map(({ label }) =>
        Object.freeze({ ...key, label }),
      ),
    );
}

function newNames(
  catalog: Catalog,
  added: readonly { readonly entity: string }[],
  known: ReadonlySet<string>,
): readonly string[] {
  const names = new Set(added.flatMap(({ entity }) => [...taughtNames(catalog, entity)]));
  return [...names].filter((name) => !known.has(name)).toSorted(compareCodePoints);
}
