import { basename } from "node:path";
import { type CatalogDiagnostic, openCatalog, type OpenedCatalog } from "@plasm/core";
import type { CatalogPlace } from "./find-catalogs.ts";
import { readCatalogFile } from "./read-catalog-file.ts";

export interface OpenPlaceOptions {
  /** names of the registered functions (RUN-105) */
  readonly functions?: readonly string[];
  /** publishing: every warning counts as an error (catalog format, section 1) */
  readonly strict?: boolean;
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

const MAPPINGS = "mappings.yaml";

const refused = (diagnostics: readonly CatalogDiagnostic[]): OpenedCatalog => ({
  catalog: null,
  diagnostics,
  omitted: 0,
});

/** Reads the files of a catalog and checks every requirement on them (CAT-010, CAT-011). Never throws. */
export async function openCatalogPlace(
  place: CatalogPlace,
  options: OpenPlaceOptions = {},
): Promise<OpenedPlace> {
  const { entryId } = place;
  const domainName = basename(place.domain);
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
  const { functions, strict } = options;
  const source = {
    entryId,
    domain: { file: domainName, text: domainText },
    ...(mappingsText === null ? {} : { mappings: { file: MAPPINGS, text: mappingsText } }),
    ...(functions === undefined ? {} : { functions }),
  };
  return { ...found, ...openCatalog(source, strict === undefined ? {} : { strict }) };
}
