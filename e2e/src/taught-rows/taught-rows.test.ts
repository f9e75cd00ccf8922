import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CATALOG_NAMES, openPublishedCatalogs } from "@plasm/catalogs";
import type { Catalog, Notation } from "@plasm/core";
import { catalogFromOpenApi } from "@plasm/importers";
import { quayDocument } from "@plasm/sample-apis/quay-document";
import { arbitraryDocument, fixtureCatalogNames, fixtureCatalogsDir } from "@plasm/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wholeDocument } from "../openapi/github-catalog.ts";
import { wholesFrom } from "../drawer.ts";
import { drawFrom } from "../oracle/choices.ts";
import { drawWorld } from "../oracle/draw-world.ts";
import { catalogsOf } from "../oracle/model.ts";
import { writeCatalog } from "../oracle/write-catalog.ts";
import { partOfDocument } from "../servers/github-document/part-of-document.ts";
import { openTexts, seedsOf, type SweptCall, sweepSession } from "./sweep-catalog.ts";

const NOTATIONS: readonly Notation[] = ["symbols", "names"];

/** So many rows each group has at least, in both notations together: fewer would mean that less is looked at. */
const FLOORS = {
  published: 1080,
  mixed: 3200,
  "in turn": 800,
  alone: 950,
  imported: 620,
  "imported, mixed": 100,
  "drawn documents": 1900,
  worlds: 4000,
} as const;
type Group = keyof typeof FLOORS;

/** Rows and programs of each group, for the table that is printed in the end. */
const found = new Map<Group, { rows: number; programs: number; elsewhere: number }>();

/** Sweeps a session: its rows, and what is wrong with any. Its numbers count for a group. */
function sweep(
  group: Group,
  calls: readonly SweptCall[],
  notation: Notation,
): { readonly rows: number; readonly faults: readonly string[] } {
  const { rows, programs, faults, elsewhere } = sweepSession(calls, notation);
  const sum = found.get(group) ?? { rows: 0, programs: 0, elsewhere: 0 };
  sum.rows += rows;
  sum.programs += programs;
  sum.elsewhere += elsewhere.length;
  found.set(group, sum);
  return { rows, faults };
}

const whole = (catalog: Catalog): SweptCall => [[catalog, seedsOf(catalog)]];

async function published(): Promise<readonly Catalog[]> {
  return (await openPublishedCatalogs(CATALOG_NAMES)).list().map(({ catalog }) => catalog);
}

const fixtures = (): readonly Catalog[] => {
  const dirs = fixtureCatalogNames.map((name) => [name, join(fixtureCatalogsDir(), name)] as const);
  const formats = ["guild", "museum"].map(
    (name) => [name, join(fixtureCatalogsDir(), "../formats", name)] as const,
  );
  return [...dirs, ...formats].map(([name, dir]) => {
    const read = (file: string): string => readFileSync(join(dir, file), "utf8");
    return openTexts(name, { domain: read("domain.yaml"), mappings: read("mappings.yaml") });
  });
};

async function imported(document: unknown, entryId: string, validate = true): Promise<Catalog> {
  return openTexts(entryId, await catalogFromOpenApi(document, { entryId, validate }));
}

/** A part of GitHub's own document whose shapes are many, and small enough for each run. */
function partOfGithub(): unknown {
  const document = wholeDocument();
  const paths = Object.keys(document.paths).filter((path) =>
    /^\/(?:repos\/\{owner\}\/\{repo\}\/(?:issues|rulesets|security-advisories|milestones|code-scanning)|app|gists)(?:\/|$)/.test(
      path,
    ),
  );
  return partOfDocument(document, paths);
}

/** The catalogs of a world of the oracle. */
function drawn(seed: number): readonly Catalog[] {
  const world = drawFrom(wholesFrom(seed)(), (choices) => drawWorld(choices, "w")).value;
  return catalogsOf(world).map((id) =>
    openTexts(id, writeCatalog(world, id, "https://api.drawn.example")),
  );
}

describe.each(NOTATIONS)(
  "17.16 TEACH-19 each row filled from the printed table alone, in %s",
  (notation) => {
    it.each(CATALOG_NAMES)("of the published catalog %s", async (name) => {
      const entry = (await openPublishedCatalogs([name])).get(name);
      if (entry === undefined) throw new Error(`no catalog ${name}`);
      const { rows, faults } = sweep("published", [whole(entry.catalog)], notation);
      expect(faults).toEqual([]);
      expect(rows).toBeGreaterThan(10);
    });

    it("of all published catalogs and the fixtures in one session, at once and one after the other", async () => {
      const all = [...(await published()), ...fixtures()];
      const calls = all.map(whole);
      const atOnce = sweep("mixed", [calls.flat()], notation);
      expect(atOnce.faults).toEqual([]);
      // What came before decides symbols, and no name.
      const later = notation === "symbols" ? calls.toReversed() : calls;
      expect(sweep("mixed", later, notation)).toEqual(atOnce);
    });

    it("of each entity of each published catalog and fixture alone", async () => {
      const faults = [...(await published()), ...fixtures()].flatMap((catalog) =>
        seedsOf(catalog).flatMap((seed) => sweep("alone", [[[catalog, [seed]]]], notation).faults),
      );
      expect(faults).toEqual([]);
    });

    it("of the catalog that quay's own document gives", async () => {
      const catalog = await imported(quayDocument(), "hub");
      const { rows, faults } = sweep("imported", [whole(catalog)], notation);
      expect(faults).toEqual([]);
      expect(rows).toBeGreaterThan(15);
    });

    it("of the catalog that a part of GitHub's own document gives, all at once and group by group", async () => {
      const catalog = await imported(partOfGithub(), "hub");
      const { rows, faults } = sweep("imported", [whole(catalog)], notation);
      expect(faults).toEqual([]);
      expect(rows).toBeGreaterThan(100);
      const seeds = seedsOf(catalog);
      for (let at = 0; at < seeds.length; at += 5) {
        const group = seeds.slice(at, at + 5);
        expect(sweep("imported", [[[catalog, group]]], notation).faults).toEqual([]);
      }
    });

    it("of an imported catalog beside a published one and a fixture", async () => {
      const catalogs = [
        await imported(quayDocument(), "imported"),
        ...(await published()).slice(0, 1),
        ...fixtures().slice(0, 2),
      ];
      const { rows, faults } = sweep("imported, mixed", catalogs.map(whole), notation);
      expect(faults).toEqual([]);
      expect(rows).toBeGreaterThan(40);
    });

    it("of catalogs that drawn documents give", async () => {
      for (const document of fc.sample(arbitraryDocument, { numRuns: 60, seed: 17 })) {
        const catalog = await imported(document, "drawn", false);
        if (seedsOf(catalog).length === 0) continue;
        expect(sweep("drawn documents", [whole(catalog)], notation).faults).toEqual([]);
      }
    });

    it("of the oracle's worlds, their catalogs at once and one after the other", () => {
      for (let seed = 1; seed <= 100; seed += 1) {
        const calls = drawn(seed).map(whole);
        const atOnce = sweep("worlds", [calls.flat()], notation);
        expect(atOnce.faults).toEqual([]);
        expect(sweep("worlds", calls, notation)).toEqual(atOnce);
      }
    });
  },
);

// What is taught with what decides symbols, and no name.
it("17.16 TEACH-19 each row of all published catalogs and the fixtures in one session, an entity of each in turn", async () => {
  const all = [...(await published()), ...fixtures()].map(
    (catalog) => [catalog, seedsOf(catalog)] as const,
  );
  const most = Math.max(...all.map(([, seeds]) => seeds.length));
  const calls = Array.from({ length: most }, (_none, at): SweptCall =>
    all.flatMap(([catalog, seeds]) => {
      const seed = seeds[at];
      return seed === undefined ? [] : [[catalog, [seed]] as const];
    }),
  );
  expect(sweep("in turn", calls, "symbols").faults).toEqual([]);
});

// After all others: it counts what they looked at.
it("17.16 looks at no fewer rows of any group than it did", () => {
  console.table(Object.fromEntries(found));
  const rows = Object.fromEntries([...found].map(([group, sum]) => [group, sum.rows]));
  const short = Object.entries(FLOORS).filter(([group, floor]) => (rows[group] ?? 0) < floor);
  expect(short).toEqual([]);
});
