import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arbitraryCatalogSet, ENTITIES } from "../../test/arbitrary-catalog.ts";
import { arbitraryInputs } from "../../test/arbitrary-inputs.ts";
import { fixtureCatalogs } from "../../test/fixture-catalogs.ts";
import { formatCatalogs } from "../../test/format-catalogs.ts";
import { swept, wholeCall } from "../../test/swept.ts";
import { loadCatalog } from "../catalog/load-catalog.ts";
import type { Catalog } from "../mapping/template.ts";
import type { Notation } from "../symbols/exposure.ts";

const NOTATIONS: readonly Notation[] = ["symbols", "names"];

const opened = (source: ReturnType<typeof formatCatalogs>[number]): Catalog => {
  const { catalog, diagnostics } = loadCatalog(source);
  if (catalog === null) throw new Error(JSON.stringify(diagnostics));
  return catalog;
};

describe.each(NOTATIONS)(
  "17.16, TEACH-19: rows filled from the printed table alone, in %s",
  (notation) => {
    test.each(formatCatalogs().map((source) => [source.entryId, source] as const))(
      "of %s",
      (entryId, source) => {
        const catalogs = new Map([[entryId, opened(source)]]);
        const found = swept(catalogs, [wholeCall(catalogs, entryId)], notation);
        expect(found.rows).toBeGreaterThan(0);
        expect(found.faults).toEqual([]);
      },
    );

    test("of four catalogs in one session, wave by wave", () => {
      const catalogs = fixtureCatalogs();
      const calls = [...catalogs.keys()].map((entryId) => wholeCall(catalogs, entryId));
      const found = swept(catalogs, calls, notation);
      expect(found.rows).toBeGreaterThan(45);
      expect(found.faults).toEqual([]);
    });

    test("of any catalog, both of a session wave by wave", () => {
      fc.assert(
        fc.property(arbitraryCatalogSet(), (catalogs) => {
          const calls = [...catalogs.keys()].map((entryId) => [[entryId, ...ENTITIES] as const]);
          expect(swept(catalogs, calls, notation).faults).toEqual([]);
        }),
        { numRuns: 40 },
      );
    }, 60_000);

    test("of any input: unions, objects and lists within each other, whatever their members are called", () => {
      fc.assert(
        fc.property(arbitraryInputs(), (catalog) => {
          const catalogs = new Map([["north", catalog]]);
          expect(swept(catalogs, [wholeCall(catalogs, "north")], notation).faults).toEqual([]);
        }),
        { numRuns: 60 },
      );
    }, 60_000);
  },
);
