export { openSqliteStore, type SqliteOptions } from "./sqlite/open.ts";
export { StoreUnavailableError } from "./sqlite/store-unavailable-error.ts";
