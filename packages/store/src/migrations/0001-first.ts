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
