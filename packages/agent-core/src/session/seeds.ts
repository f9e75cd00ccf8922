import { compareCodePoints, type EntityPlace, resolveApi, type Policy } from "@plasm/core";
import { fail } from "../errors/failure.ts";
import { refuseNoList } from "../errors/refuse-type.ts";
import type { CatalogRegistry } from "../ports.ts";

/** What a seed is, for who gives none, or something else. */
const WANTED_SEED =
  '{"entity": …}, named as the goal names it, with "api" where several catalogs have one';

/** An entity an agent asks to be taught; null where the server is to find out whose it is. */
export interface AskedSeed {
  readonly api: string | null;
  readonly entity: string;
}

/** The seeds of one catalog, sorted and distinct. */
export interface SeedGroup {
  readonly entryId: string;
  readonly entities: readonly string[];
}

/** The seeds of a call, by catalog: the first group is the primary one (SESS-16). */
export type SeedGroups = readonly [SeedGroup, ...SeedGroup[]];

function checkShape(seed: unknown, index: number): AskedSeed {
  const { api, entity } = (seed ?? {}) as { api?: unknown; entity?: unknown };
  const isSaid = api === undefined || (typeof api === "string" && api.trim() !== "");
  if (!isSaid || typeof entity !== "string" || !entity.trim()) {
    throw fail(
      "plasm-bad-request",
      `seeds[${index}] needs "entity", and "api" if several catalogs have it, both non-blank text.`,
    );
  }
  return { api: api === undefined ? null : api.trim(), entity: entity.trim() };
}

/**
 * Reads seeds, trims them and resolves the catalogs that they name (TEACH-40). `suggest` says which seeds there
 * could be, for who gives none. Throws plasm-bad-request and plasm-unknown-catalog.
 */
export function readSeeds(
  seeds: unknown,
  registry: CatalogRegistry,
  policy: Policy,
  suggest: () => string,
): readonly AskedSeed[] {
  if (!Array.isArray(seeds) || seeds.length === 0) {
    throw refuseNoList("seeds", seeds, WANTED_SEED, suggest);
  }
  const catalogs = registry.list().map((one) => one.catalog);
  return seeds.map(checkShape).map(({ api, entity }) => {
    if (api === null) return { api, entity };
    const found = resolveApi(api, catalogs, policy);
    if (!found.ok) throw fail("plasm-unknown-catalog", found.message);
    return { api: found.entryId, entity };
  });
}

/**
 * Groups seeds by catalog, in code-point order of the entry id: the first group is the primary catalog
 * (SESS-16, TEACH-40). Order and repetition have no effect (P3).
 */
export function groupSeeds(seeds: readonly EntityPlace[]): SeedGroups {
  const groups = new Map<string, Set<string>>();
  for (const { api, entity } of seeds) {
    const entities = groups.get(api) ?? new Set<string>();
    entities.add(entity);
    groups.set(api, entities);
  }
  const sorted = [...groups]
    .toSorted(([a], [b]) => compareCodePoints(a, b))
    .map(([entryId, entities]) => ({
      entryId,
      entities: [...entities].toSorted(compareCodePoints),
    }));
  const [primary, ...rest] = sorted;
  if (primary === undefined) throw fail("plasm-bad-request", "seeds is empty.");
  return [primary, ...rest];
}
