export type { TestDatabase } from "./databases.ts";
export { createDatabase, runSql } from "./databases.ts";
export type { PostgresUrlName } from "./provided.ts";
export type { TestPostgres } from "./start-postgres.ts";
export { startPostgres } from "./start-postgres.ts";
