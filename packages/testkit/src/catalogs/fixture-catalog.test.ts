import { readdirSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";
import {
  fixtureCatalogDir,
  fixtureCatalogNames,
  fixtureCatalogsDir,
  readFixtureCatalog,
} from "./fixture-catalog.ts";

/** The keys of a top-level block map, read by indentation: enough for files we write ourselves. */
const keysUnder = (text: string, block: string): readonly string[] => {
  const lines = text.split("\n");
  const start = lines.indexOf(`${block}:`) + 1;
  const rest = lines.slice(start);
  const end = rest.findIndex((line) => /^[a-z]/.test(line));
  return (end === -1 ? rest : rest.slice(0, end)).flatMap((line) => {
    const key = /^ {2}(\w+):/.exec(line)?.[1];
    return key === undefined ? [] : [key];
  });
};

const topKeys = (text: string): readonly string[] =>
  [...text.matchAll(/^(\w+):/gm)].map((match) => match[1] ?? "");

test("the directory holds exactly the named catalogs, two files each (CAT-010)", () => {
  expect(readdirSync(fixtureCatalogsDir()).toSorted()).toEqual([...fixtureCatalogNames]);
  for (const name of fixtureCatalogNames) {
    expect(readdirSync(fixtureCatalogDir(name)).toSorted()).toEqual([
      "domain.yaml",
      "mappings.yaml",
    ]);
  }
});

test.each(fixtureCatalogNames)("%s: every capability has its mapping (CAT-070)", (name) => {
  const catalog = readFixtureCatalog(name);
  const capabilities = keysUnder(catalog.domain, "capabilities");
  expect(capabilities.length).toBeGreaterThan(2);
  expect(topKeys(catalog.mappings).toSorted()).toEqual(capabilities.toSorted());
  expect(basename(catalog.dir)).toBe(catalog.entryId);
});

const taught = {
  orchard: ["Tree", "Harvest", "Plot"],
  depot: ["Crate", "Harvest"],
  quay: ["Boat", "Person", "Visit", "Log", "Paper", "Office", "Digest", "Stats"],
  yard: ["Boat", "Part"],
};

test.each(fixtureCatalogNames)("%s: the entities of the specification's fixture", (name) => {
  expect(keysUnder(readFixtureCatalog(name).domain, "entities")).toEqual(taught[name]);
});
