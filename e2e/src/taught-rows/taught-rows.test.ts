import { CATALOG_NAMES, openPublishedCatalogs } from "@plasm/catalogs";
import { type Catalog, openCatalog, type Notation } from "@plasm/core";
import { catalogFromOpenApi } from "@plasm/from-openapi";
import { quayDocument } from "@plasm/sample-apis/quay-document";
import { describe, expect, it } from "vitest";
import { wholeDocument } from "../openapi/github-catalog.ts";
import { partOfDocument } from "../servers/github-document/part-of-document.ts";
import { seedsOf, sweepCatalog } from "./sweep-catalog.ts";

const NOTATIONS: readonly Notation[] = ["symbols", "names"];

/** What `sweepCatalog` has to give: rows, and nothing wrong with any. */
function expectAllRows(catalog: Catalog, notation: Notation, entities = seedsOf(catalog)): number {
  const { rows, faults } = sweepCatalog(catalog, notation, entities);
  expect(faults).toEqual([]);
  return rows;
}

async function made(document: unknown): Promise<Catalog> {
  const texts = await catalogFromOpenApi(document, { entryId: "hub" });
  const { catalog, diagnostics } = openCatalog({
    entryId: "hub",
    domain: { file: "domain.yaml", text: texts.domain },
    mappings: { file: "mappings.yaml", text: texts.mappings },
  });
  if (catalog === null) throw new Error(JSON.stringify(diagnostics));
  return catalog;
}

describe.each(NOTATIONS)(
  "17.16 TEACH-19 each row filled from the printed table alone, in %s",
  (notation) => {
    it.each(CATALOG_NAMES)("of the published catalog %s", async (name) => {
      const entry = (await openPublishedCatalogs([name])).get(name);
      if (entry === undefined) throw new Error(`no catalog ${name}`);
      expect(expectAllRows(entry.catalog, notation)).toBeGreaterThan(10);
    });

    it("of the catalog that quay's own document gives", async () => {
      expect(expectAllRows(await made(quayDocument()), notation)).toBeGreaterThan(15);
    });

    it("of the catalog that a part of GitHub's own document gives, all at once and group by group", async () => {
      const whole = wholeDocument();
      const paths = Object.keys(whole.paths).filter((path) =>
        /^\/(?:repos\/\{owner\}\/\{repo\}\/(?:issues|rulesets|security-advisories|milestones|code-scanning)|app|gists)(?:\/|$)/.test(
          path,
        ),
      );
      const catalog = await made(partOfDocument(whole, paths));
      expect(expectAllRows(catalog, notation)).toBeGreaterThan(100);
      const seeds = seedsOf(catalog);
      for (let at = 0; at < seeds.length; at += 5) {
        expectAllRows(catalog, notation, seeds.slice(at, at + 5));
      }
    });
  },
);
