import { compareCodePoints, resolveApi, type Policy } from "@plasm/core";
import { fail } from "../errors/failure.ts";
import { refuseNoList } from "../errors/refuse-type.ts";
import type { CatalogRegistry } from "../ports.ts";

/** An entity an agent asks to be taught. */
export interface Seed {
  readonly api: string;
  readonly entity: string;
}

/** The seeds of one catalog, sorted and distinct. */
export interface SeedGroup {
  readonly entryId: string;
  readonly entities: readonly string[];
}

function checkShape(seeds: unknown): readonly Seed[] {
  if (!Array.isArray(seeds) || seeds.length === 0) {
    throw refuseNoList("seeds", seeds, '{"api": …, "entity": …}, as discovery finds them');
  }
  return seeds.map((seed: unknown, index) => {
    const { api, entity } = (seed ?? {}) as { api?: unknown; entity?: unknown };
    if (typeof api !== "string" || typeof entity !== "string" || !api.trim() || !entity.trim()) {
      throw fail(
        "plasm-bad-request",
        `seeds[${index}] needs "api" and "entity", both non-blank text.`,
      );
    }
    return { api: api.trim(), entity: entity.trim() };
  });
}

/**
 * Trims, resolves and groups seeds by catalog, in code-point order of the entry id: the first
 * group is the primary catalog (SESS-16, TEACH-40). Order and repetition have no effect (P3).
 */
export function groupSeeds(
  seeds: unknown,
  registry: CatalogRegistry,
  policy: Policy,
): readonly [SeedGroup, ...SeedGroup[]] {
  const catalogs = registry.list().map((one) => one.catalog);
  const groups = new Map<string, Set<string>>();
  for (const seed of checkShape(seeds)) {
    const found = resolveApi(seed.api, catalogs, policy);
    if (!found.ok) throw fail("plasm-unknown-catalog", found.message);
    const entities = groups.get(found.entryId) ?? new Set<string>();
    entities.add(seed.entity);
    groups.set(found.entryId, entities);
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
