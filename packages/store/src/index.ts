export { openSqliteStore, StoreUnavailableError, type SqliteOptions } from "./sqlite/open.ts";
