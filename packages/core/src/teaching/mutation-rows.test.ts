import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { fixtureCatalog } from "../../test/fixture-catalogs.ts";
import { millCatalog } from "../../test/mill-catalog.ts";
import { isMutation, rowFaults } from "../../test/row-faults.ts";
import { exposureOf } from "../../test/exposure-of.ts";
import { loadCatalog } from "../catalog/load-catalog.ts";
import type { Catalog } from "../mapping/template.ts";
import { ALL_FEATURES } from "../policy/policy.ts";
import type { Notation } from "../symbols/exposure.ts";
import { executableRows } from "../../test/executable-rows.ts";

const fixtures = [
  fixtureCatalog("quay"),
  fixtureCatalog("orchard"),
  fixtureCatalog("depot"),
  fixtureCatalog("yard"),
  millCatalog,
];

test.each<Notation>(["symbols", "names"])(
  "P20: every taught mutation plans to its own effect and stated result, in %s (TEACH-19)",
  (notation) => {
    const exposure = { ...exposureOf(fixtures), notation };
    const taught = executableRows(exposure, ALL_FEATURES).filter(isMutation);
    const writes = fixtures.flatMap(({ cgs }) => [...cgs.capabilities.values()]);
    const kinds = ["create", "update", "delete", "action"];
    const names = writes.flatMap(({ kind, name }) => (kinds.includes(kind) ? [name] : []));
    expect(new Set(taught.map(({ capability }) => capability))).toEqual(new Set(names));
    expect(rowFaults(exposure, ALL_FEATURES)).toEqual([]);
  },
);

/** The published catalogs, each a directory of two files. */
function publishedCatalogs(): readonly Catalog[] {
  const dir = new URL("../../../../catalogs/", import.meta.url);
  const names = readdirSync(dir).filter((name) => existsSync(new URL(`${name}/domain.yaml`, dir)));
  return names.map((entryId) => {
    const read = (file: string) => ({
      file,
      text: readFileSync(new URL(`${entryId}/${file}`, dir), "utf8"),
    });
    const { catalog, diagnostics } = loadCatalog({
      entryId,
      domain: read("domain.yaml"),
      mappings: read("mappings.yaml"),
    });
    if (catalog === null) throw new Error(JSON.stringify(diagnostics));
    return catalog;
  });
}

const published = publishedCatalogs();

test("there are published catalogs to prove", () => {
  expect(published.length).toBeGreaterThan(0);
});

test.each(published.map((catalog) => [catalog.entryId, catalog] as const))(
  "P20: every executable row of %s plans to its own capability and stated result",
  (_, catalog) => {
    for (const notation of ["symbols", "names"] as const) {
      expect(rowFaults({ ...exposureOf([catalog]), notation }, ALL_FEATURES)).toEqual([]);
    }
  },
);
