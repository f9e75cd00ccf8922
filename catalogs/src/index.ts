export { catalogDirectory } from "./catalog-directory.ts";
export { CATALOG_NAMES, type CatalogName, isCatalogName } from "./catalog-names.ts";
export { openPublishedCatalogs } from "./open-published-catalogs.ts";
