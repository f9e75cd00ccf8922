import type { Catalog } from "@plasm/core";
import { loadCatalog } from "@plasm/core/internal";

const PARTS = "ba ce di fo gu la me ni po ru sa te vi xo zu".split(" ");

/** A word of its own for each number, three syllables long. */
const wordOf = (at: number): string =>
  [at, Math.floor(at / PARTS.length), at % 7].map((each) => PARTS[each % PARTS.length]).join("");

/** `count` different words from a place on, of `all`. */
const wordsFrom = (at: number, count: number, all: number): readonly string[] =>
  Array.from({ length: count }, (_none, step) => wordOf((at * 3 + step * 17) % all));

/**
 * A catalog whose entities are told in words: a name of two, four discovery names, a description of
 * ten words and one of six per capability, of a vocabulary as large as the catalog.
 */
export function toldCatalog(entities: number): Catalog {
  const all = Array.from({ length: entities }, (_none, at) => at);
  const nameOf = (at: number): string => {
    const [first = ""] = wordsFrom(at, 1, entities);
    return `${first.slice(0, 1).toUpperCase()}${first.slice(1)}Item${at}`;
  };
  const domain = {
    version: 1,
    http_backend: "https://api.told.example",
    values: { number: { type: "integer" } },
    entities: Object.fromEntries(
      all.map((at) => [
        nameOf(at),
        {
          description: wordsFrom(at, 10, entities).join(" "),
          id_field: "id",
          discovery: { names: [...new Set(wordsFrom(at + 1, 4, entities))] },
          fields: { id: { value_ref: "number", required: true } },
        },
      ]),
    ),
    capabilities: Object.fromEntries(
      all.flatMap((at) =>
        ["get", "query"].map((kind) => [
          `item${at}_${kind}`,
          { kind, entity: nameOf(at), description: wordsFrom(at + 2, 6, entities).join(" ") },
        ]),
      ),
    ),
  };
  const mappings = Object.fromEntries(
    all.flatMap((at) => {
      const place = { type: "literal", value: `item${at}` };
      return [
        [`item${at}_query`, { method: "GET", path: [place] }],
        [`item${at}_get`, { method: "GET", path: [place, { type: "var", name: "id" }] }],
      ];
    }),
  );
  const { catalog, diagnostics } = loadCatalog({
    entryId: "told",
    domain: { file: "domain.yaml", text: JSON.stringify(domain) },
    mappings: { file: "mappings.yaml", text: JSON.stringify(mappings) },
  });
  if (catalog === null) throw new Error(`It does not load: ${diagnostics[0]?.message}`);
  return catalog;
}

/** A sentence of ten words of that catalog, two of them misspelt. */
export function toldIntent(entities: number): string {
  const [first = "", second = "", ...others] = wordsFrom(5, 10, entities);
  return [`${first}h`, second.slice(1), ...others].join(" ");
}
