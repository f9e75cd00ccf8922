import { discover, type Catalog } from "@plasm/core";
import type { Pair } from "./pair.ts";
import { toldCatalog, toldIntent } from "./told-catalog.ts";

const ENTITIES = 300;

/** All that a catalog says of its entities, a text each. */
function textsOf({ cgs }: Catalog): readonly string[] {
  const capabilities = [...cgs.capabilities.values()];
  return [...cgs.entities.values()].map((entity) =>
    [
      entity.name,
      ...entity.discoveryNames,
      entity.description,
      ...capabilities.filter((each) => each.entity === entity.name).map((one) => one.description),
    ].join(" "),
  );
}

/** Search for seeds (TEACH-36 to TEACH-39) against a plain search of the same texts. */
export function discoveryPairs(): readonly Pair[] {
  const catalog = toldCatalog(ENTITIES);
  const texts = textsOf(catalog);
  const intent = toldIntent(ENTITIES);
  const words = intent.split(" ").map((word) => new RegExp(`\\b${word}\\b`, "giu"));
  return [
    {
      name: "discover",
      ours: {
        what: `find a sentence of ten words, two misspelt, among ${ENTITIES} entities`,
        run: () => discover({ intent }, [catalog], {}),
      },
      base: {
        what: "count its words in their texts by regular expressions",
        run: () => texts.map((text) => words.map((word) => text.match(word)?.length ?? 0)),
      },
    },
    {
      name: "index",
      ours: {
        what: `index ${ENTITIES} entities and find a sentence`,
        // The index belongs to the catalog's object: a copy has none yet.
        run: () => discover({ intent }, [{ ...catalog }], {}),
      },
      base: { what: "load their catalog", run: () => toldCatalog(ENTITIES) },
    },
  ];
}
