import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";

/** Where one catalog lies: its directory with both files, or its single file (CAT-010). */
export interface CatalogRef {
  readonly entryId: string;
  readonly path: string;
  readonly domain: string;
  /** null where the mappings are part of the domain file */
  readonly mappings: string | null;
}

const DOMAIN = "domain.yaml";
const MAPPINGS = "mappings.yaml";

async function kindOf(path: string): Promise<"directory" | "other" | "none"> {
  const found = await stat(path).catch(() => null);
  if (found === null) return "none";
  return found.isDirectory() ? "directory" : "other";
}

/** The catalog that a directory is, or null: it has a domain file or a mappings file. */
async function directoryCatalog(path: string): Promise<CatalogRef | null> {
  const domain = join(path, DOMAIN);
  const mappings = join(path, MAPPINGS);
  const [hasDomain, hasMappings] = [await kindOf(domain), await kindOf(mappings)];
  if (hasDomain === "none" && hasMappings === "none") return null;
  return {
    entryId: basename(path),
    path,
    domain,
    mappings: hasMappings === "none" ? null : mappings,
  };
}

const singleFile = (path: string): CatalogRef => ({
  entryId: basename(path, ".yaml"),
  path,
  domain: path,
  mappings: null,
});

/**
 * The catalogs of a configured path, by entry id: the path itself if it is a catalog, else each
 * directory and `.yaml` file in it that is one. Null if the path does not exist.
 */
export async function findCatalogs(path: string): Promise<readonly CatalogRef[] | null> {
  const kind = await kindOf(path);
  if (kind === "none") return null;
  if (kind === "other") return [singleFile(path)];
  const own = await directoryCatalog(path);
  if (own !== null) return [own];
  const places: CatalogRef[] = [];
  for (const name of (await readdir(path)).toSorted()) {
    if (name.startsWith(".") || name === "node_modules") continue;
    const child = join(path, name);
    if ((await kindOf(child)) === "directory") {
      const found = await directoryCatalog(child);
      if (found !== null) places.push(found);
    } else if (name.endsWith(".yaml")) places.push(singleFile(child));
  }
  return places;
}

/** `@scope/name` or `name`, and what may follow: a path inside the package. */
const PACKAGE = /^((?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*)((?:\/(?!\.{1,2}(?:\/|$))[^/]+)*)$/;

/** The directory of an installed package, looked for from a file; null if there is none. */
function packageDirectory(name: string, from: string): string | null {
  try {
    return dirname(createRequire(from).resolve(`${name}/package.json`));
  } catch {
    return null;
  }
}

/**
 * Where configured catalogs are (RUN-180): a path, taken from the directory `from`; or, if there is nothing
 * at that path, an installed package by its name (`@plasm/catalogs`) or a path in it (`@plasm/catalogs/<id>`).
 * A package is looked for from `from`, then beside this program. What is neither stays a path that does not exist.
 */
export function catalogPath(given: string, from: string): string {
  const path = resolve(from, given);
  const [, name, inside = ""] = PACKAGE.exec(given) ?? [];
  if (name === undefined || existsSync(path)) return path;
  const directory =
    packageDirectory(name, join(from, "catalogs.js")) ?? packageDirectory(name, import.meta.url);
  return directory === null ? path : join(directory, inside);
}
