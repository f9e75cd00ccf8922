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
      const found = discover({ intent, limit: LOOKED_AT }, catalogs, {});
      return found.ok ? found.options.map(({ entity }) => entity) : [];
    };
  });

  test.each(intents.map(([intent, ...entities]) => [intent, entities] as const))(
    "%s: one of %j is among the first three",
    (intent, entities) => {
      expect(entities).toContainEqual(expect.toBeOneOf([...first(intent)]));
    },
  );
});
