import fc from "fast-check";
import { expect, test } from "vitest";
import { arbitraryCatalog } from "../../test/arbitrary-catalog.ts";
import { wideCatalog } from "../../test/wide-catalog.ts";
import { ALL_FEATURES } from "../policy/policy.ts";
import { discover } from "./discover.ts";
import { discoveryIndex } from "./index-catalogs.ts";
import { rankDocuments, type ScoredDocument } from "./score.ts";

const { documents } = discoveryIndex(wideCatalog(), {}, ALL_FEATURES);
const [anyDocument] = documents;

const part = fc.double({ min: 0, max: 10, noNaN: true });

/** Rows of a few catalogs, each a document of its own, scored by what any of three words adds. */
const rows = fc
  .array(fc.tuple(fc.constantFrom("a", "b", "c", "d"), fc.array(part, { maxLength: 3 })), {
    minLength: 1,
    maxLength: 60,
  })
  .map((list) =>
    list.flatMap(([api, parts], at): readonly ScoredDocument[] => {
      const document = documents[at % documents.length] ?? anyDocument;
      if (document === undefined) return [];
      const words = new Map(parts.map((score, word) => [word, score]));
      const score = parts.reduce((sum, each) => sum + each, 0);
      return [{ document: { ...document, api }, score, words, isNamed: false }];
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
      expect(new Set(ranked)).toEqual(new Set(scored.filter(({ score }) => score > 0)));
      expect(ranked).toHaveLength(new Set(ranked).size);
    }),
  );
});

test("rows of one word are ranked by their scores alone (TEACH-38)", () => {
  fc.assert(
    fc.property(rows, (scored) => {
      const same = scored.map((row) => ({
        ...row,
        document: { ...row.document, api: "a" },
        words: new Map([[0, row.score]]),
      }));
      const scores = rankDocuments(same).map(({ score }) => score);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
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
