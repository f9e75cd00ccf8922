import type { Catalog } from "@plasm/core";
import { loadCatalog } from "@plasm/core/internal";

const value_ref = (name: string): object => ({ value_ref: name });
const literal = (value: string): object => ({ type: "literal", value });
const variable = (name: string): object => ({ type: "var", name });

/** Four fields of a thing: a number, a text, a state and another number. */
export const THING_FIELDS = Object.freeze({
  id: { value_ref: "number", required: true },
  name: value_ref("text"),
  state: value_ref("state"),
  size: value_ref("number"),
});

/** A register of things `Thing0`, `Thing1` …: a query by state and a get each. */
export interface Things {
  readonly backend: string;
  readonly count: number;
  readonly entityAt: (at: number) => object;
}

function domainOf({ backend, count, entityAt }: Things): object {
  const all = Array.from({ length: count }, (_none, at) => at);
  return {
    version: 1,
    http_backend: backend,
    values: {
      number: { type: "integer" },
      text: { type: "string", string_semantics: "short" },
      state: { type: "select", allowed_values: ["open", "done"] },
    },
    entities: Object.fromEntries(all.map((at) => [`Thing${at}`, entityAt(at)])),
    capabilities: Object.fromEntries(
      all.flatMap((at) => {
        const entity = `Thing${at}`;
        const parameters = [{ name: "state", value_ref: "state" }];
        return [
          [`thing${at}_query`, { kind: "query", entity, parameters }],
          [`thing${at}_get`, { kind: "get", entity }],
        ];
      }),
    ),
  };
}

const mappingsOf = ({ count }: Things): object =>
  Object.fromEntries(
    Array.from({ length: count }, (_none, at) => `thing${at}`).flatMap((name) => {
      const query = { type: "object", fields: [["state", variable("state")]] };
      return [
        [`${name}_query`, { method: "GET", path: [literal(name)], query }],
        [`${name}_get`, { method: "GET", path: [literal(name), variable("id")] }],
      ];
    }),
  );

/** The files of such a register. */
export const thingsFiles = (things: Things): { domain: string; mappings: string } => ({
  domain: JSON.stringify(domainOf(things)),
  mappings: JSON.stringify(mappingsOf(things)),
});

/** Loads them under a name. */
export function loadThings(
  entryId: string,
  { domain, mappings }: { readonly domain: string; readonly mappings: string },
): Catalog {
  const { catalog, diagnostics } = loadCatalog({
    entryId,
    domain: { file: "domain.yaml", text: domain },
    mappings: { file: "mappings.yaml", text: mappings },
  });
  if (catalog === null) throw new Error(`${entryId} does not load: ${diagnostics[0]?.message}`);
  return catalog;
}
