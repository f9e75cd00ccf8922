import { sql } from "kysely";
import type { SchemaStep } from "../schema/tables.ts";

/**
 * What a sweep goes by. Rows that are there, and rows of a program that still runs on the schema before,
 * have none of it: a sweep settles them, so that nothing is rewritten here.
 */
export const retention: SchemaStep = async (schema, { text }) => {
  await schema.alterTable("records").addColumn("aged_from", "bigint").execute();
  await schema.alterTable("records").addColumn("blob", text).execute();
  await schema.alterTable("records").addColumn("settled", "integer").execute();
  await schema.createIndex("records_age").on("records").columns(["kind", "aged_from"]).execute();
  await schema
    .createIndex("records_blob")
    .on("records")
    .column("blob")
    .where(sql.ref("blob"), "is not", null)
    .execute();
  await schema
    .createIndex("records_unsettled")
    .on("records")
    .column("seq")
    .where(sql<boolean>`coalesce(settled, 0) <> version`)
    .execute();
  await schema.alterTable("execute_sessions").addColumn("ended_at", "bigint").execute();
  await schema
    .createIndex("execute_sessions_expiry")
    .on("execute_sessions")
    .columns(["ended_at", "expires_at"])
    .execute();
  await schema.alterTable("waves").addColumn("digest", text).execute();
  await schema.createIndex("waves_digest").on("waves").column("digest").execute();
  await schema
    .alterTable("catalogs")
    .addColumn("pinned_at", "bigint", (c) => c.notNull().defaultTo(0))
    .execute();
  await schema
    .alterTable("blobs")
    .addColumn("loose_since", "bigint", (c) => c.defaultTo(0))
    .execute();
  await schema.createIndex("slots_logical").on("slots").column("logical_id").execute();
  await schema.createIndex("blobs_loose").on("blobs").column("loose_since").execute();
};
