import { bookshopCollections, bookshopData } from "./bookshop-data.ts";
import { serveWorld, type WorldServer } from "./serve-collections.ts";

/** Serves the bookshop on a free port of loopback, with the same data at every start. */
export const startShop = (): Promise<WorldServer> =>
  serveWorld(bookshopCollections(bookshopData()));
