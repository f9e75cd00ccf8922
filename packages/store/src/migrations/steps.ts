import { sql } from "kysely";
import type { SchemaStep } from "../schema/tables.ts";

/** Documents, counters, slots. */
const keyed: SchemaStep = async (schema, { text, rowNumber }) => {
  await schema
    .createTable("records")
    .addColumn("seq", rowNumber.type, rowNumber.build)
    .addColumn("kind", text, (c) => c.notNull())
    .addColumn("scope", text, (c) => c.notNull())
    .addColumn("id", text, (c) => c.notNull())
    .addColumn("version", "integer", (c) => c.notNull())
    .addColumn("body", text, (c) => c.notNull())
    .addUniqueConstraint("records_identity", ["kind", "scope", "id"])
    .execute();
  await schema
    .createTable("counters")
    .addColumn("owner", text, (c) => c.notNull())
    .addColumn("kind", text, (c) => c.notNull())
    .addColumn("next", "integer", (c) => c.notNull())
    .addPrimaryKeyConstraint("counters_identity", ["owner", "kind"])
    .execute();
  await schema
    .createTable("slots")
    .addColumn("principal", text, (c) => c.notNull())
    .addColumn("slot", "integer", (c) => c.notNull())
    .addColumn("logical_id", text, (c) => c.notNull())
    .addPrimaryKeyConstraint("slots_identity", ["principal", "slot"])
    .addUniqueConstraint("slots_holder", ["principal", "logical_id"])
    .execute();
};

/** Sessions with their waves, catalogs, blobs. */
const contents: SchemaStep = async (schema, { text, bytes }) => {
  await schema
    .createTable("execute_sessions")
    .addColumn("session_id", text, (c) => c.primaryKey())
    .addColumn("prompt_hash", text, (c) => c.notNull())
    .addColumn("scope", text, (c) => c.notNull())
    .addColumn("reuse_key", text, (c) => c.unique())
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .addColumn("body", text, (c) => c.notNull())
    .execute();
  await schema
    .createTable("waves")
    .addColumn("session_id", text, (c) => c.notNull())
    .addColumn("n", "integer", (c) => c.notNull())
    .addColumn("body", text, (c) => c.notNull())
    .addPrimaryKeyConstraint("waves_identity", ["session_id", "n"])
    .execute();
  await schema
    .createTable("catalogs")
    .addColumn("digest", text, (c) => c.primaryKey())
    .addColumn("body", text, (c) => c.notNull())
    .execute();
  await schema
    .createTable("blobs")
    .addColumn("sha256", text, (c) => c.primaryKey())
    .addColumn("bytes", bytes, (c) => c.notNull())
    .execute();
};

/** The first schema. */
export const first: SchemaStep = async (schema, types) => {
  await keyed(schema, types);
  await contents(schema, types);
};

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
