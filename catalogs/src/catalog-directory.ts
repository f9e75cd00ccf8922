import { fileURLToPath } from "node:url";
import type { CatalogName } from "./catalog-names.ts";

/** The directory of all published catalogs: sources and built files are both one level below it. */
const ROOT = new URL("../", import.meta.url);

/**
 * The directory of a published catalog, with its domain.yaml, mappings.yaml and README.md: an absolute path,
 * to be configured like one of one's own (RUN-180).
 */
export const catalogDirectory = (name: CatalogName): string => fileURLToPath(new URL(name, ROOT));
