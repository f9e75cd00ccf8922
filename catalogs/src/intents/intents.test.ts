import { discover } from "@plasm/core";
import { beforeAll, describe, expect, test } from "vitest";
import type { CatalogName } from "../catalog-names.ts";
import { openPublishedCatalogs } from "../open-published-catalogs.ts";
import { type Intent, INTENTS } from "./intents.ts";

/** How many options an agent looks at before it asks again. */
const LOOKED_AT = 3;

const tables = Object.entries(INTENTS) as [CatalogName, readonly Intent[]][];

test("at least 25 plain intents are told for redmine", () => {
  expect(INTENTS.redmine.length).toBeGreaterThanOrEqual(25);
});

describe.each(tables)("%s alone (TEACH-36 to TEACH-39)", (name, intents) => {
  let first: (intent: string) => readonly string[];
  beforeAll(async () => {
    const registry = await openPublishedCatalogs([name]);
    const catalogs = registry.list().map(({ catalog }) => catalog);
    first = (intent) => {
      const found = discover({ intent, apis: [name], limit: LOOKED_AT }, catalogs, {});
      return found.ok ? found.options.map(({ entity }) => entity) : [];
    };
  });

  test.each(intents.map(([intent, ...entities]) => [intent, entities] as const))(
    "%s: one of %j is among the first three",
    (intent, entities) => {
      expect(first(intent).filter((entity) => entities.includes(entity as never))).not.toEqual([]);
    },
  );
});

/** The share of all intents that must be found although every catalog competes. */
const FOUND_AMONG_ALL = 0.95;

test("among all catalogs, 95 % of the intents are found in the eight options of one answer", async () => {
  const catalogs = (await openPublishedCatalogs()).list().map(({ catalog }) => catalog);
  const missed = tables.flatMap(([name, intents]) =>
    intents.filter(([intent, ...entities]) => {
      const found = discover({ intent }, catalogs, {});
      const options = found.ok ? found.options : [];
      return !options.some(({ api, entity }) => api === name && entities.includes(entity));
    }),
  );
  const all = tables.reduce((sum, [, intents]) => sum + intents.length, 0);
  expect(missed.length, JSON.stringify(missed)).toBeLessThanOrEqual(all * (1 - FOUND_AMONG_ALL));
});
