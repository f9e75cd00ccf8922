import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Entry ids of the fixture catalogs: quay and yard run, orchard and depot are read only. */
export const fixtureCatalogNames = ["depot", "orchard", "quay", "yard"] as const;

export type FixtureCatalogName = (typeof fixtureCatalogNames)[number];

/** The text of one fixture catalog, unparsed, with the places it was read from. */
export interface FixtureCatalog {
  readonly entryId: FixtureCatalogName;
  /** Absolute path of the directory. */
  readonly dir: string;
  /** Text of domain.yaml. */
  readonly domain: string;
  /** Text of mappings.yaml. */
  readonly mappings: string;
}

const root = fileURLToPath(new URL("../../catalogs/", import.meta.url));

/** Absolute path of the directory that holds the fixture catalogs, each in a directory of its name. */
export const fixtureCatalogsDir = (): string => root;

/** Absolute path of one fixture catalog's directory (CAT-010). */
export const fixtureCatalogDir = (name: FixtureCatalogName): string => join(root, name);

/** Reads both files of a fixture catalog; throws if one is missing. */
export const readFixtureCatalog = (name: FixtureCatalogName): FixtureCatalog => {
  const dir = fixtureCatalogDir(name);
  const read = (file: string): string => readFileSync(join(dir, file), "utf8");
  return Object.freeze({
    entryId: name,
    dir,
    domain: read("domain.yaml"),
    mappings: read("mappings.yaml"),
  });
};
