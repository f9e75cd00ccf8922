import type { Catalog, CatalogDiagnostic } from "@plasm/core";
import { compareCodePoints, editDistance } from "@plasm/core/internal";
import { createHash } from "node:crypto";
import type { FunctionTable, RegisteredFunction } from "../ports.ts";
import type { CompiledCache } from "./compiled-cache.ts";
import { type CatalogRef, findCatalogs } from "./find-catalogs.ts";
import { fileDiagnostic, openCatalogPlace } from "./open-catalog-place.ts";

/** What is particular to one vendor, as functions that catalogs call by name (RUN-105). */
export interface Plugin {
  /** as its package is named */
  readonly name: string;
  readonly version: string;
  readonly functions: FunctionTable;
}

/** The functions of several plug-ins, as ports and loaders take them. */
export interface RegisteredPlugins {
  readonly functions: FunctionTable;
  /** names of the functions, sorted: what catalogs are checked against (MAP-020) */
  readonly functionNames: readonly string[];
  /** digest of names, versions and functions; null without plug-ins (SESS-13) */
  readonly generation: string | null;
}

/** Registers plug-ins; throws if two have a function of one name, which would depend on their order. */
export function registerPlugins(plugins: readonly Plugin[]): RegisteredPlugins {
  const functions = new Map<string, RegisteredFunction>();
  const owners = new Map<string, string>();
  for (const { name, functions: own } of plugins) {
    for (const [called, call] of own) {
      const other = owners.get(called);
      if (other !== undefined) {
        throw new Error(`plug-ins ${other} and ${name} both have a function ${called}`);
      }
      owners.set(called, name);
      functions.set(called, call);
    }
  }
  const facts = plugins.map(({ name, version, functions: own }) => [
    name,
    version,
    [...own.keys()].toSorted(),
  ]);
  const sorted = facts.map((each) => JSON.stringify(each)).toSorted();
  const generation =
    plugins.length === 0 ? null : createHash("sha256").update(JSON.stringify(sorted)).digest("hex");
  return { functions, functionNames: [...functions.keys()].toSorted(), generation };
}

/** A catalog that loaded, with the text it was read from. */
export interface RegistryEntry {
  readonly catalog: Catalog;
  /** the directory or file it was read from */
  readonly path: string;
  readonly domain: string;
  /** null where the mappings are part of the domain file */
  readonly mappings: string | null;
  /** warnings only */
  readonly diagnostics: readonly CatalogDiagnostic[];
}

/** A catalog that did not load, whole as it is, and why (RUN-180). */
export interface SkippedCatalog {
  readonly entryId: string;
  readonly path: string;
  readonly diagnostics: readonly CatalogDiagnostic[];
}

/** What a name leads to (RUN-182). */
export type Lookup =
  | { readonly kind: "found"; readonly entry: RegistryEntry }
  | { readonly kind: "several"; readonly entryIds: readonly string[] }
  | { readonly kind: "none"; readonly nearest: readonly string[] };

/** The catalogs on offer, by entry id; a reload makes a new one (RUN-180). */
export interface Registry {
  list(): readonly RegistryEntry[];
  get(entryId: string): RegistryEntry | undefined;
  /** Looks a name up among the catalogs that `mayUse` lets take part (RUN-182, TEACH-40). */
  find(name: string, mayUse?: (entryId: string) => boolean): Lookup;
  readonly skipped: readonly SkippedCatalog[];
}

const NEAREST = 3;
const MOST_NAMES = 20;

function namesOf({ catalog }: RegistryEntry): readonly string[] {
  const { cgs, entryId } = catalog;
  return [entryId, cgs.label, ...cgs.tags, ...cgs.registryAliases];
}

function lookUp(entries: readonly RegistryEntry[], name: string): Lookup {
  const folded = name.toLowerCase();
  const matching = entries.filter((entry) =>
    namesOf(entry).some((each) => each.toLowerCase() === folded),
  );
  const [first] = matching;
  if (matching.length === 1 && first !== undefined) return { kind: "found", entry: first };
  const ids = (found: readonly RegistryEntry[]) => found.map(({ catalog }) => catalog.entryId);
  if (matching.length > 1) return { kind: "several", entryIds: ids(matching) };
  const near = ids(entries)
    .map((id) => ({ id, distance: editDistance(id.toLowerCase(), folded, NEAREST) }))
    .filter(({ distance }) => distance <= NEAREST)
    .toSorted((a, b) => a.distance - b.distance || compareCodePoints(a.id, b.id));
  return { kind: "none", nearest: near.slice(0, MOST_NAMES).map(({ id }) => id) };
}

/** A registry of catalogs with distinct entry ids. */
function createRegistry(
  entries: readonly RegistryEntry[],
  skipped: readonly SkippedCatalog[],
): Registry {
  const sorted = entries.toSorted((a, b) =>
    compareCodePoints(a.catalog.entryId, b.catalog.entryId),
  );
  const byId = new Map(sorted.map((entry) => [entry.catalog.entryId, entry]));
  return Object.freeze({
    list: () => sorted,
    get: (entryId: string) => byId.get(entryId),
    find(name: string, mayUse: (entryId: string) => boolean = () => true) {
      const exact = byId.get(name);
      if (exact !== undefined && mayUse(name)) return { kind: "found", entry: exact } as const;
      return lookUp(
        sorted.filter(({ catalog }) => mayUse(catalog.entryId)),
        name,
      );
    },
    skipped,
  });
}

/** What catalogs are loaded with. */
export interface LoadOptions {
  /** names of the registered functions (RUN-105) */
  readonly functions?: readonly string[];
  /** catalogs compiled before */
  readonly cache?: CompiledCache;
}

/** Catalogs whose files are read at once. */
const AT_ONCE = 8;

type Loaded = { readonly entry: RegistryEntry } | { readonly skipped: SkippedCatalog };

async function loadPlace(place: CatalogRef, options: LoadOptions): Promise<Loaded> {
  const { entryId, path } = place;
  const opened = await openCatalogPlace(place, options);
  const { catalog, diagnostics, domain, mappings } = opened;
  if (catalog === null || domain === null) return { skipped: { entryId, path, diagnostics } };
  return { entry: { catalog, path, domain, mappings, diagnostics } };
}

/** Loads so many at once as keep the disk busy, in their order. */
async function loadPlaces(
  places: readonly CatalogRef[],
  options: LoadOptions,
): Promise<readonly Loaded[]> {
  const loaded: Loaded[] = [];
  for (let at = 0; at < places.length; at += AT_ONCE) {
    const some = places.slice(at, at + AT_ONCE).map((place) => loadPlace(place, options));
    loaded.push(...(await Promise.all(some)));
  }
  return loaded;
}

function conflict(a: RegistryEntry, b: RegistryEntry): SkippedCatalog {
  const { entryId, cgs } = a.catalog;
  const message =
    `${entryId} is there twice with version ${cgs.version} and different content, ` +
    `at ${a.path} and ${b.path}; raise the version of the newer one or remove the other.`;
  return { entryId, path: b.path, diagnostics: [fileDiagnostic("RUN181", "domain.yaml", message)] };
}

/** One entry an id: the higher version; equal ones are one; a clash is an error for the id (RUN-181). */
function settle(entries: readonly RegistryEntry[]): Loaded {
  const versions = entries.map(({ catalog }) => catalog.cgs.version);
  const highest = entries.filter(({ catalog }) => catalog.cgs.version === Math.max(...versions));
  const [first] = highest;
  if (first === undefined) throw new Error("an entry id without catalog");
  const other = highest.find(({ catalog }) => catalog.digest !== first.catalog.digest);
  return other === undefined ? { entry: first } : { skipped: conflict(first, other) };
}

/**
 * Loads the catalogs of configured paths, each a catalog itself or a directory of catalogs
 * (RUN-180 to RUN-182). An invalid one is skipped whole and listed with its diagnostics.
 */
export async function loadCatalogDirectory(
  paths: readonly string[],
  options: LoadOptions = {},
): Promise<Registry> {
  const skipped: SkippedCatalog[] = [];
  const loaded: RegistryEntry[] = [];
  for (const path of paths) {
    const places = await findCatalogs(path);
    if (places === null) {
      const missing = fileDiagnostic("CAT010", path, `${path} does not exist.`);
      skipped.push({ entryId: path, path, diagnostics: [missing] });
    }
    for (const one of await loadPlaces(places ?? [], options)) {
      if ("entry" in one) loaded.push(one.entry);
      else skipped.push(one.skipped);
    }
  }
  const entries: RegistryEntry[] = [];
  for (const id of new Set(loaded.map(({ catalog }) => catalog.entryId))) {
    const one = settle(loaded.filter(({ catalog }) => catalog.entryId === id));
    if ("entry" in one) entries.push(one.entry);
    else skipped.push(one.skipped);
  }
  return createRegistry(entries, skipped);
}
