import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findCatalogs, openCatalogPlace } from "@plasm/runtime";
import { describe, expect, expectTypeOf, test } from "vitest";
import { catalogDirectory } from "./catalog-directory.ts";
import { CATALOG_NAMES, type CatalogName, isCatalogName } from "./catalog-names.ts";
import { openPublishedCatalogs } from "./open-published-catalogs.ts";

const ROOT = join(import.meta.dirname, "..");

const directories = readdirSync(ROOT).filter((name) => existsSync(join(ROOT, name, "domain.yaml")));

test("the names are those of the directories, in order", () => {
  expect([...CATALOG_NAMES]).toEqual(directories.toSorted());
  expectTypeOf<"redmine">().toExtend<CatalogName>();
  expectTypeOf<"quay">().not.toExtend<CatalogName>();
  expect([isCatalogName("redmine"), isCatalogName("quay")]).toEqual([true, false]);
});

describe.each(directories)("%s", (name) => {
  test("loads strictly, as publishing demands: no warning is left (RUN-180)", async () => {
    const places = (await findCatalogs(join(ROOT, name))) ?? [];
    expect(places.map(({ entryId }) => entryId)).toEqual([name]);
    for (const place of places) {
      const { catalog, diagnostics } = await openCatalogPlace(place, { strict: true });
      expect(diagnostics).toEqual([]);
      expect(catalog?.entryId).toBe(name);
    }
  });

  test("has a README that says how to use it, and what it does not cover", () => {
    const readme = readFileSync(join(ROOT, name, "README.md"), "utf8");
    for (const part of ["## Use", "## Covered", "## Not covered"]) expect(readme).toContain(part);
  });
});

test("the loader opens all catalogs, or those named", async () => {
  const all = await openPublishedCatalogs();
  expect(all.list().map(({ catalog }) => catalog.entryId)).toEqual([...CATALOG_NAMES]);
  const one = await openPublishedCatalogs(["redmine"]);
  expect(one.list().map(({ path }) => path)).toEqual([catalogDirectory("redmine")]);
  expect(one.get("redmine")?.catalog.digest).toBe(all.get("redmine")?.catalog.digest);
});

test("a damaged package is an error that names the catalog and what is wrong", async () => {
  const missing = openPublishedCatalogs(["no-such-catalog" as CatalogName]);
  await expect(missing).rejects.toThrow(
    /no-such-catalog does not load: CAT010 at .*does not exist/,
  );
});
