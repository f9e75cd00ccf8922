import type { ColumnTypes } from "../schema/column-types.ts";

export const sqliteTypes: ColumnTypes = {
  text: "text",
  bytes: "blob",
  rowNumber: { type: "integer", build: (column) => column.primaryKey().autoIncrement() },
};
