import { catalogOf, type CatalogSet, entityId, type EntityKey } from "../catalog/federation.ts";
import type { Catalog } from "../mapping/template.ts";
import { canBeSeed, capabilitiesByLabel } from "../model/lookups.ts";
import { compareCodePoints } from "../base/text.ts";
import {
  grownSymbols,
  isExposedIn,
  type MethodKey,
  nameNumber,
  NO_SYMBOLS,
  type SymbolMap,
  taughtNames,
} from "./symbols.ts";

/** One exposure step: the only input of the symbol fold (TEACH-4). `entities` are sorted and new. */
export interface WaveEntry {
  readonly entryId: string;
  readonly entities: readonly string[];
  readonly digest: string;
  /**
   * The saved program that it teaches in the place of entities: it has none, and no symbols, and its catalog is in the session from
   * then on (SAV-12). Name and version are all that the fold must know.
   */
  readonly program?: { readonly name: string; readonly version: string };
}

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
  const more = { entities: [] as EntityKey[], methods: [] as MethodKey[], names: [] as string[] };
  const known = new Set<string>();
  const knownNames = new Set<string>();
  for (const wave of waves) {
    const catalog = contentOf(wave, catalogs);
    const added = wave.entities
      .map((entity) => ({ entryId: wave.entryId, entity }))
      .filter((key) => !known.has(entityId(key)) && !isExposedIn(symbols, key));
    const fresh = newNames(
      catalog,
      added,
      (name) => knownNames.has(name) || nameNumber(symbols, name) !== undefined,
    );
    more.entities.push(...added);
    more.methods.push(...methodsOf(catalog, added));
    more.names.push(...fresh);
    for (const key of added) known.add(entityId(key));
    for (const name of fresh) knownNames.add(name);
  }
  return grownSymbols(symbols, more);
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
  isKnown: (name: string) => boolean,
): readonly string[] {
  const names = new Set(added.flatMap(({ entity }) => [...taughtNames(catalog, entity)]));
  return [...names].filter((name) => !isKnown(name)).toSorted(compareCodePoints);
}

/** Entities of one catalog asked for in one call. */
export interface SeedGroup {
  readonly entryId: string;
  readonly entities: readonly string[];
}

/** A log, and the entry that was appended to it, or null if nothing was new. */
interface AppendedWave {
  readonly log: readonly WaveEntry[];
  readonly entry: WaveEntry | null;
}

/**
 * Logs one wave: entities deduplicated, sorted by code point and stripped of exposed ones; without a
 * new one nothing is logged (TEACH-5). Throws on an entity that is unknown or abstract (TEACH-7) and
 * on a catalog whose digest is not the one its earlier waves carry: callers check both before.
 */
export function appendWave(
  log: readonly WaveEntry[],
  catalogs: CatalogSet,
  seeds: SeedGroup,
): AppendedWave {
  const { entryId } = seeds;
  const catalog = catalogOf(catalogs, entryId);
  const earlier = log.filter((wave) => wave.entryId === entryId);
  if (earlier.some((wave) => wave.digest !== catalog.digest)) {
    throw new Error(`Catalog ${entryId} changed within a session.`);
  }
  const fresh = new Set(seeds.entities);
  // Few are asked for, and many may be exposed.
  for (const wave of earlier) for (const entity of wave.entities) fresh.delete(entity);
  const entities = [...fresh].toSorted(compareCodePoints);
  for (const entity of entities) {
    const found = catalog.cgs.entities.get(entity);
    if (found === undefined || !canBeSeed(catalog.cgs, found))
      throw new Error(`${entryId}.${entity} is no seed.`);
  }
  if (entities.length === 0) return { log, entry: null };
  const entry = Object.freeze({
    entryId,
    entities: Object.freeze(entities),
    digest: catalog.digest,
  });
  return { log: Object.freeze([...log, entry]), entry };
}

/**
 * Seeds in the order they are applied: one group per catalog, catalogs by code point, each entity
 * once (SESS-16, SESS-18). The first group is the primary catalog of an open.
 */
export function orderSeeds(
  seeds: readonly { readonly entryId: string; readonly entity: string }[],
): readonly SeedGroup[] {
  const groups = new Map<string, Set<string>>();
  for (const { entryId, entity } of seeds) {
    const group = groups.get(entryId);
    if (group === undefined) groups.set(entryId, new Set([entity]));
    else group.add(entity);
  }
  return [...groups]
    .map(([entryId, entities]) => ({
      entryId,
      entities: [...entities].toSorted(compareCodePoints),
    }))
    .toSorted((a, b) => compareCodePoints(a.entryId, b.entryId));
}
