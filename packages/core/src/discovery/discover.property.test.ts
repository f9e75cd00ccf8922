import fc from "fast-check";
import { expect, test } from "vitest";
import { arbitraryCatalog } from "../../test/arbitrary-catalog.ts";
import { wideCatalog } from "../../test/wide-catalog.ts";
import { ALL_FEATURES } from "../policy/features.ts";
import { discover } from "./discover.ts";
import type { EntityDocument } from "./entity-document.ts";
import { indexedDocuments } from "./discovery-index.ts";
import { rankDocuments } from "./rank.ts";

const documents = indexedDocuments(wideCatalog(), {}, ALL_FEATURES);

/** Rows of a few catalogs with any scores, each a document of its own. */
const rows = fc
  .array(
    fc.tuple(fc.constantFrom("a", "b", "c", "d"), fc.double({ min: 0, max: 10, noNaN: true })),
    {
      minLength: 1,
      maxLength: 30,
    },
  )
  .map((list) =>
    list.map(([api, score], at) => {
      const document = { ...documents[at % documents.length], api } as EntityDocument;
      return { document, score };
    }),
  );

test("P17: each qualifying catalog is shown before any second row (TEACH-38)", () => {
  fc.assert(
    fc.property(rows, (scored) => {
      const ranked = rankDocuments(scored);
      const top = Math.max(...scored.map(({ score }) => score));
      const best = (api: string) =>
        Math.max(
          ...scored.filter(({ document }) => document.api === api).map(({ score }) => score),
        );
      const apis = [...new Set(scored.map(({ document }) => document.api))];
      const qualifying = apis.filter((api) => best(api) > 0 && best(api) >= 0.4 * top);
      const first = ranked.slice(0, qualifying.length).map(({ document }) => document.api);
      expect([...first].sort()).toEqual([...qualifying].sort());
      const rest = ranked.slice(qualifying.length).map(({ score }) => score);
      expect(rest).toEqual(rest.toSorted((a, b) => b - a));
      expect(ranked).toHaveLength(scored.filter(({ score }) => score > 0).length);
    }),
  );
});

test("P17 through discover, and the same on every call", () => {
  const sets = fc.tuple(arbitraryCatalog("north"), arbitraryCatalog("south"));
  const intent = fc.constantFrom("ash birch", "delete a cedar in north", "list what it is", "size");
  fc.assert(
    fc.property(sets, intent, (catalogs, said) => {
      const result = discover({ intent: said }, catalogs, {}, ALL_FEATURES);
      const again = discover({ intent: said }, catalogs.toReversed(), {}, ALL_FEATURES);
      expect(again).toEqual(result);
    }),
    { numRuns: 30 },
  );
});
