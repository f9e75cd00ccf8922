export type { FixtureCatalog, FixtureCatalogName } from "./catalogs/fixture-catalog.ts";
export {
  fixtureCatalogDir,
  fixtureCatalogNames,
  fixtureCatalogsDir,
  readFixtureCatalog,
} from "./catalogs/fixture-catalog.ts";
