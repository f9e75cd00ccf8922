/** The API of a bookshop, and what other small worlds of lists are served by. */
export { type Bookshop, bookshopCollections, bookshopData } from "./bookshop-data.ts";
export { rfc3339, Seeded, unixSeconds } from "./seeded.ts";
export {
  type Collection,
  type Effect,
  type ServedRow,
  serveWorld,
  type WorldServer,
} from "./serve-collections.ts";
export { startShop } from "./start-shop.ts";
