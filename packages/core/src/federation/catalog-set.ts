import type { Catalog } from "../mapping/catalog.ts";

/** The catalogs of one session by entry id. Never merged: every look-up names its catalog (SESS-21). */
export type CatalogSet = ReadonlyMap<string, Catalog>;
