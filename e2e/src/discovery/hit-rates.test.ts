import { openPublishedCatalogs } from "@plasm/catalogs";
import type { Catalog } from "@plasm/core";
import { loadCatalogDirectory } from "@plasm/runtime";
import { discoveryIntents, fixtureCatalogDir, intentLists, isHit } from "@plasm/testkit";
import { beforeAll, describe, expect, test } from "vitest";
import { hitRates, hitTable, type HitRates } from "./hit-rates.ts";

/** Shares of all intents, those with nothing to find and those of several APIs included, at 1, 3, 8. */
const GOALS = [0.6, 0.85, 0.92];

let catalogs: readonly Catalog[] = [];
beforeAll(async () => {
  const published = await openPublishedCatalogs();
  const samples = await loadCatalogDirectory([
    fixtureCatalogDir("quay"),
    fixtureCatalogDir("yard"),
  ]);
  catalogs = [published, samples].flatMap((registry) =>
    registry.list().map(({ catalog }) => catalog),
  );
});

describe.each(intentLists)("%s intents over all catalogs together", (list) => {
  let rates: HitRates;
  beforeAll(() => {
    rates = hitRates(discoveryIntents(list), catalogs);
    console.log(hitTable(list, rates));
  });

  test("there are at least 60, and each need is something that can be found", () => {
    const known = catalogs.flatMap(({ entryId, cgs }) =>
      [...cgs.entities.keys()].map((entity) => `${entryId}.${entity}`),
    );
    expect(rates.intents).toBeGreaterThanOrEqual(60);
    const needs = discoveryIntents(list).flatMap(({ expect: all }) =>
      all.flatMap((need) => need.split("|")),
    );
    expect(needs.filter((need) => !known.includes(need))).toEqual([]);
  });

  test("all that is needed is among the first 1, 3, 8 rows of 60, 85, 92 % (TEACH-36 to TEACH-38)", () => {
    for (const [at, goal] of GOALS.entries()) {
      const hits = rates.hits[at] ?? 0;
      expect(hits, `hits, goal ${at + 1}`).toBeGreaterThanOrEqual(goal * rates.intents);
    }
  });
});

test.each([
  [["a.B"], ["a.B", "c.D"], true],
  [["a.B", "c.D"], ["a.B"], false],
  [["a.B|c.D", "e.F"], ["e.F", "c.D"], true],
  [[], [], true],
  [[], ["a.B"], false],
])("needs %j and rows %j: a hit is %j", (needs, rows, hit) => {
  expect(isHit({ intent: "", kind: "plain", expect: needs }, rows)).toBe(hit);
});
