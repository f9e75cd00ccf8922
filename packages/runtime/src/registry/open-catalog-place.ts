import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { type CatalogDiagnostic, openCatalog, type OpenedCatalog } from "@plasm/core";
import type { CompiledCache } from "./compiled-cache.ts";
import type { CatalogPlace } from "./find-catalogs.ts";
import { fileDiagnostic, readCatalogFile } from "./read-catalog-file.ts";

export interface OpenPlaceOptions {
  /** names of the registered functions (RUN-105) */
  readonly functions?: readonly string[];
  /** publishing: every warning counts as an error (catalog format, section 1) */
  readonly strict?: boolean;
  /** catalogs compiled before; not asked in strict mode, which is for authors */
  readonly cache?: CompiledCache;
}

/** A catalog read from its files, with the text that its diagnostics point into. */
export interface OpenedPlace extends OpenedCatalog {
  readonly place: CatalogPlace;
  /** null if the file cannot be read as text */
  readonly domain: string | null;
  /** null as well where the mappings are part of the domain file */
  readonly mappings: string | null;
  /** the files by the names diagnostics call them: path and text of each that could be read */
  readonly files: ReadonlyMap<string, { readonly path: string; readonly text: string | null }>;
}

type Source = Parameters<typeof openCatalog>[0];

const MAPPINGS = "mappings.yaml";

const refused = (diagnostics: readonly CatalogDiagnostic[]): OpenedCatalog => ({
  catalog: null,
  diagnostics,
  omitted: 0,
});

const ACCEPTED =
  "Accepted: a directory with domain.yaml and mappings.yaml, or one .yaml domain file with an extra top-level map `mappings`.";

/** What keeps a place from being a catalog before a file is read, or null (CAT-010). */
async function formProblem(place: CatalogPlace): Promise<CatalogDiagnostic | null> {
  const name = basename(place.domain);
  if (!name.endsWith(".yaml")) {
    const message = `${name} is no catalog: JSON and serialised graphs are refused. ${ACCEPTED}`;
    return fileDiagnostic("CAT010", name, message);
  }
  if (place.mappings === null || (await exists(place.domain))) return null;
  const message = `${name} is missing beside ${MAPPINGS}. ${ACCEPTED}`;
  return fileDiagnostic("CAT010", name, message);
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Reads the files of a catalog and checks every requirement on them (CAT-010, CAT-011). Never throws. */
export async function openCatalogPlace(
  place: CatalogPlace,
  options: OpenPlaceOptions = {},
): Promise<OpenedPlace> {
  const { entryId } = place;
  const domainName = basename(place.domain);
  const problem = await formProblem(place);
  if (problem !== null) {
    const files = new Map([[domainName, { path: place.domain, text: null }]]);
    return { place, domain: null, mappings: null, files, ...refused([problem]) };
  }
  const domain = await readCatalogFile(place.domain, domainName);
  const mappings = place.mappings === null ? null : await readCatalogFile(place.mappings, MAPPINGS);
  const domainText = domain.ok ? domain.text : null;
  const mappingsText = mappings?.ok === true ? mappings.text : null;
  const files = new Map([[domainName, { path: place.domain, text: domainText }]]);
  if (place.mappings !== null) files.set(MAPPINGS, { path: place.mappings, text: mappingsText });
  const found = { place, domain: domainText, mappings: mappingsText, files };
  const faults = [domain, mappings].flatMap((file) =>
    file === null || file.ok ? [] : [file.diagnostic],
  );
  if (domainText === null || faults.length > 0) return { ...found, ...refused(faults) };
  const source = {
    entryId,
    domain: { file: domainName, text: domainText },
    ...(mappingsText === null ? {} : { mappings: { file: MAPPINGS, text: mappingsText } }),
    functions: options.functions ?? [],
  };
  return { ...found, ...(await compile(source, options)) };
}

/** Opens a catalog, or takes what it was compiled to before. */
async function compile(
  source: Source & { readonly functions: readonly string[] },
  { strict, cache }: OpenPlaceOptions,
): Promise<OpenedCatalog> {
  if (strict === true) return openCatalog(source, { strict });
  if (cache === undefined) return openCatalog(source);
  const { entryId, domain, mappings, functions } = source;
  const files = [domain, mappings].flatMap((each) =>
    each === undefined ? [] : [[each.file, each.text] as const],
  );
  const from = { entryId, files, functions };
  const known = await cache.get(from);
  if (known !== null) return known;
  const opened = openCatalog(source);
  const { catalog, diagnostics, omitted } = opened;
  if (catalog !== null) await cache.put(from, { catalog, diagnostics, omitted });
  return opened;
}
