import { type Catalog, loadCatalog } from "@plasm/core";
import type { RegisteredCatalog } from "@plasm/agent-core";

const value_ref = (name: string): object => ({ value_ref: name });
const literal = (value: string): object => ({ type: "literal", value });
const variable = (name: string): object => ({ type: "var", name });

/** Five fields, one of them nobody else's, and a relation to the next thing. */
const entityAt = (at: number, next: number): object => ({
  description: "a thing in a register of things",
  id_field: "id",
  fields: {
    id: { value_ref: "number", required: true },
    name: value_ref("text"),
    state: value_ref("state"),
    size: value_ref("number"),
    [`own_${at}`]: value_ref("text"),
  },
  relations: {
    next: {
      target: `Thing${next}`,
      cardinality: "many",
      materialize: { kind: "query_scoped", capability: `thing${next}_query`, param: "state" },
    },
  },
});

const domainOf = (count: number): object => {
  const all = Array.from({ length: count }, (_none, at) => at);
  return {
    version: 1,
    http_backend: "https://api.corpus.example",
    values: {
      number: { type: "integer" },
      text: { type: "string", string_semantics: "short" },
      state: { type: "select", allowed_values: ["open", "done"] },
    },
    entities: Object.fromEntries(all.map((at) => [`Thing${at}`, entityAt(at, (at + 1) % count)])),
    capabilities: Object.fromEntries(
      all.flatMap((at) => [
        [
          `thing${at}_query`,
          {
            kind: "query",
            entity: `Thing${at}`,
            parameters: [{ name: "state", value_ref: "state" }],
          },
        ],
        [`thing${at}_get`, { kind: "get", entity: `Thing${at}` }],
      ]),
    ),
  };
};

const mappingsOf = (count: number): object =>
  Object.fromEntries(
    Array.from({ length: count }, (_none, at) => `thing${at}`).flatMap((name) => [
      [
        `${name}_query`,
        {
          method: "GET",
          path: [literal(name)],
          query: { type: "object", fields: [["state", variable("state")]] },
        },
      ],
      [`${name}_get`, { method: "GET", path: [literal(name), variable("id")] }],
    ]),
  );

/** Catalogs of things that are named alike in all of them. */
export function federatedCorpus(catalogs: number, entities: number): readonly RegisteredCatalog[] {
  const domain = JSON.stringify(domainOf(entities));
  const mappings = JSON.stringify(mappingsOf(entities));
  return Array.from({ length: catalogs }, (_none, at) => {
    const { catalog, diagnostics } = loadCatalog({
      entryId: `register${at}`,
      domain: { file: "domain.yaml", text: domain },
      mappings: { file: "mappings.yaml", text: mappings },
    });
    if (catalog === null) throw new Error(`The corpus does not load: ${diagnostics[0]?.message}`);
    return { catalog, domain, mappings, credentials: true };
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
