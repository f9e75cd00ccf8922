import { sql } from "kysely";
import type { SchemaStep } from "../schema/tables.ts";

/** The texts that records of a scope have in common, each found by its name and, in a scope, by the first that has it. */
export const texts: SchemaStep = async (schema, { text }) => {
  for (const field of ["program", "plan"]) {
    await schema.alterTable("records").addColumn(field, text).execute();
    await schema
      .createIndex(`records_${field}`)
      .on("records")
      .columns([field, "scope", "seq"])
      .where(sql.ref(field), "is not", null)
      .execute();
  }
};
