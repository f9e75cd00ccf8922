export type { CatalogPatch, MarkedPlace, PatchedCatalog } from "./catalogs/patched-catalog.ts";
export { patchedCatalog } from "./catalogs/patched-catalog.ts";
export type { FixtureCatalog, FixtureCatalogName } from "./catalogs/fixture-catalog.ts";
export {
  fixtureCatalogDir,
  fixtureCatalogNames,
  fixtureCatalogsDir,
  readFixtureCatalog,
} from "./catalogs/fixture-catalog.ts";
export type { Ending, HabitProgram } from "./corpus/habits.ts";
export { habitPrograms } from "./corpus/habits.ts";
export type { ModelProgram, ModelSession } from "./corpus/models.ts";
export { modelPrograms, modelSessions } from "./corpus/models.ts";
export type { Checked } from "./property/check-property.ts";
export { assertProperty, checkProperty } from "./property/check-property.ts";
export type { OpenProperty, Property, PropertyParts } from "./property/property.ts";
export { pureProperty, servedProperty } from "./property/property.ts";
export type { Leak } from "./secrets/find-secrets.ts";
export { findSecrets } from "./secrets/find-secrets.ts";
