import type { RegisteredCatalog } from "@plasm/agent-core";
import type { Catalog } from "@plasm/core";
import { loadThings, THING_FIELDS, thingsFiles } from "../things-catalog.ts";

/** Five fields, one of them nobody else's, and a relation to the next thing. */
const entityAt = (at: number, next: number): object => ({
  description: "a thing in a register of things",
  id_field: "id",
  fields: { ...THING_FIELDS, [`own_${at}`]: { value_ref: "text" } },
  relations: {
    next: {
      target: `Thing${next}`,
      cardinality: "many",
      materialize: { kind: "query_scoped", capability: `thing${next}_query`, param: "state" },
    },
  },
});

/** Catalogs of things that are named alike in all of them. */
export function federatedCorpus(catalogs: number, count: number): readonly RegisteredCatalog[] {
  const files = thingsFiles({
    backend: "https://api.corpus.example",
    count,
    entityAt: (at) => entityAt(at, (at + 1) % count),
  });
  return Array.from({ length: catalogs }, (_none, at) => {
    return { catalog: loadThings(`register${at}`, files), ...files, credentials: true };
  });
}

export interface Seed {
  readonly api: string;
  readonly entity: string;
}

/** The seeds of each wave: so many entities of one catalog, the catalogs in turn. */
export function wavesOver(
  corpus: readonly { readonly catalog: Catalog }[],
  perWave: number,
): readonly (readonly Seed[])[] {
  const cut = corpus.map(({ catalog: { entryId, cgs } }) => {
    const seeds = [...cgs.entities.keys()].map((entity) => ({ api: entryId, entity }));
    const count = Math.ceil(seeds.length / perWave);
    return Array.from({ length: count }, (_none, at) =>
      seeds.slice(at * perWave, (at + 1) * perWave),
    );
  });
  const longest = Math.max(...cut.map((waves) => waves.length));
  return Array.from({ length: longest }, (_none, at) =>
    cut.flatMap((waves) => waves.slice(at, at + 1)),
  ).flat();
}
