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
 * The symbols of a wave log: a pure fold, the same on any machine (TEACH-4 to TEACH-6).
 * Throws if the content of a wave is not in `catalogs`; {@link staleWave} asks first.
 */
export function foldWaves(log: readonly WaveEntry[], catalogs: CatalogSet): SymbolMap {
  return log.reduce((symbols, wave) => applyWave(symbols, wave, catalogs), NO_SYMBOLS);
}

/** The map after one more wave: what the wave adds stands behind what was there (TEACH-4). */
export function applyWave(symbols: SymbolMap, wave: WaveEntry, catalogs: CatalogSet): SymbolMap {
  const catalog = contentOf(wave, catalogs);
  const known = new Set(symbols.entities.map(entityId));
  const added = wave.entities
    .map((entity) => ({ entryId: wave.entryId, entity }))
    .filter((key) => !known.has(entityId(key)));
  return Object.freeze({
    entities: Object.freeze([...symbols.entities, ...added]),
    methods: Object.freeze([...symbols.methods, ...methodsOf(catalog, added)]),
    names: Object.freeze([...symbols.names, ...newNames(catalog, added, symbols.names)]),
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
  known: readonly string[],
): readonly string[] {
  const names = new Set(added.flatMap(({ entity }) => [...taughtNames(catalog, entity)]));
  for (const name of known) names.delete(name);
  return [...names].toSorted(compareCodePoints);
}
