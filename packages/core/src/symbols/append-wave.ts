import { canBeSeed } from "../schema/can-be-seed.ts";
import type { CatalogSet } from "../federation/catalog-set.ts";
import { catalogOf } from "../federation/entity-of.ts";
import { compareCodePoints } from "../text/compare-code-points.ts";
import type { WaveEntry } from "./wave-entry.ts";

/** Entities of one catalog asked for in one call. */
export interface SeedGroup {
  readonly entryId: string;
  readonly entities: readonly string[];
}

/** A log, and the entry that was appended to it, or null if nothing was new. */
export interface AppendedWave {
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
  const exposed = new Set(earlier.flatMap((wave) => wave.entities));
  const entities = [...new Set(seeds.entities)]
    .filter((entity) => !exposed.has(entity))
    .toSorted(compareCodePoints);
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
