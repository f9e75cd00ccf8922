import { sql } from "kysely";
import type { ColumnTypes } from "../schema/column-types.ts";

export const postgresTypes: ColumnTypes = {
  text: sql`text collate "C"`,
  bytes: "bytea",
  rowNumber: {
    type: "bigint",
    build: (column) => column.generatedAlwaysAsIdentity().primaryKey(),
  },
};
