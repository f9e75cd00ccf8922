/** The catalogs of this package, by entry id, in code point order. */
export const CATALOG_NAMES = Object.freeze([
  "digitalocean",
  "docker-registry",
  "github",
  "github-projects",
  "gitlab",
  "notion",
  "prometheus",
  "redmine",
  "slack",
  "stripe",
] as const);

/** The entry id of a published catalog. */
export type CatalogName = (typeof CATALOG_NAMES)[number];

/** Whether a text is the entry id of a published catalog. */
export const isCatalogName = (name: string): name is CatalogName =>
  (CATALOG_NAMES as readonly string[]).includes(name);
