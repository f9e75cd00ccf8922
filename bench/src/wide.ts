import {
  type Catalog,
  CURRENT_FEATURES,
  exposeSeeds,
  type Exposure,
  loadCatalog,
} from "@plasm/core";

/** What the program of ten statements reads. */
const READ = ["Boat", "Log", "Paper", "Person", "Visit"];

const value_ref = (name: string): object => ({ value_ref: name });

function wideDomain(names: readonly string[]): object {
  const fields = {
    id: { value_ref: "number", required: true },
    name: value_ref("text"),
    state: value_ref("state"),
    size: value_ref("number"),
  };
  const of = (name: string) => name.toLowerCase();
  return {
    version: 1,
    http_backend: "https://api.wide.example",
    values: {
      number: { type: "integer" },
      text: { type: "string", string_semantics: "short" },
      state: { type: "select", allowed_values: ["open", "done"] },
    },
    entities: Object.fromEntries(names.map((name) => [name, { id_field: "id", fields }])),
    capabilities: Object.fromEntries(
      names.flatMap((entity) => [
        [
          `${of(entity)}_query`,
          { kind: "query", entity, parameters: [{ name: "state", value_ref: "state" }] },
        ],
        [`${of(entity)}_get`, { kind: "get", entity }],
      ]),
    ),
  };
}

function wideMappings(names: readonly string[]): object {
  const literal = (value: string): object => ({ type: "literal", value });
  const variable = (name: string): object => ({ type: "var", name });
  return Object.fromEntries(
    names
      .map((name) => name.toLowerCase())
      .flatMap((name) => [
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
}

/** A catalog of things: four fields, a query and a get each. */
export function wideCatalog(entities: number): Catalog {
  const names = Array.from({ length: entities }, (_none, at) => `Thing${at}`);
  const { catalog, diagnostics } = loadCatalog({
    entryId: "wide",
    domain: { file: "domain.yaml", text: JSON.stringify(wideDomain(names)) },
    mappings: { file: "mappings.yaml", text: JSON.stringify(wideMappings(names)) },
  });
  if (catalog === null)
    throw new Error(`The wide catalog does not load: ${diagnostics[0]?.message}`);
  return catalog;
}

/** A session of `entities` entities: those the program reads, and things it does not. */
export function wideExposure(quay: Catalog, entities: number): Exposure {
  const things = entities - READ.length;
  const wide = things > 0 ? [wideCatalog(things)] : [];
  const catalogs = new Map([quay, ...wide].map((catalog) => [catalog.entryId, catalog]));
  const seeds = [
    { entryId: quay.entryId, entities: READ },
    ...wide.map(({ entryId, cgs }) => ({ entryId, entities: [...cgs.entities.keys()] })),
  ];
  const setup = { catalogs, notation: "symbols" as const, policy: {} };
  const exposed = exposeSeeds({ exposure: null, seeds, features: CURRENT_FEATURES, ...setup });
  return { log: exposed.log, symbols: exposed.symbols, ...setup };
}
