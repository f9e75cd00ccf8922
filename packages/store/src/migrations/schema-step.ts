import type { SchemaModule } from "kysely";
import type { ColumnTypes } from "../schema/column-types.ts";

/**
 * One step from a schema to the next, on either database. A step that has been published never
 * changes; what it adds must not break a process that still runs on the schema before it.
 */
export type SchemaStep = (schema: SchemaModule, types: ColumnTypes) => Promise<void>;
