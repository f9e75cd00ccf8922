import type { Catalog, Notation } from "@plasm/core";
import { openTexts, seedsOf, sweepCatalog } from "@plasm/e2e/taught-rows";
import { expect, test } from "vitest";
import { longCatalog } from "./long-catalog.ts";
import { toldCatalog } from "./told-catalog.ts";
import { wideCatalog } from "./wide.ts";

const CATALOGS: readonly (readonly [name: string, catalog: () => Catalog, rows: number])[] = [
  ["of things", () => wideCatalog(60), 120],
  ["of two thousand lines", () => openTexts("long", longCatalog(2000)), 140],
  ["told in words", () => toldCatalog(60), 120],
];
const NOTATIONS: readonly Notation[] = ["symbols", "names"];

test.each(CATALOGS.flatMap((each) => NOTATIONS.map((notation) => [...each, notation] as const)))(
  "17.16 TEACH-19 each row of the catalog %s, filled from the printed table alone (%#)",
  (_, catalogOf, least, notation) => {
    const catalog = catalogOf();
    const { rows, faults } = sweepCatalog(catalog, notation, seedsOf(catalog));
    expect(faults).toEqual([]);
    expect(rows).toBeGreaterThanOrEqual(least);
  },
);
