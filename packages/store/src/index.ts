export { openPostgresNews, type News, type NewsOptions } from "./postgres/news.ts";
export { dumpStore } from "./backup/dump.ts";
export { loadStore, StoreNotEmptyError } from "./backup/load.ts";
export type { StorePlace, TableRows } from "./backup/tables.ts";
export { postgresPlace } from "./postgres/address.ts";
export { openPostgresStore, type PostgresOptions, readPostgresStore } from "./postgres/open.ts";
export { openPostgresQueue, type PostgresQueueOptions } from "./queue/open.ts";
export { openSqliteStore, readSqliteStore, type SqliteOptions } from "./sqlite/open.ts";
export { StoreUnavailableError } from "./store-unavailable-error.ts";
